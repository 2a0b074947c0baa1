import { render } from 'preact';
import { App } from './App.tsx';
import { applyTheme, currentTheme } from './theme.ts';

applyTheme(currentTheme());
const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
root.replaceChildren();
render(<App />, root);
