import { render } from 'preact';
import { App } from './App.tsx';
import { session } from './api/session.ts';
import { adaptToEmbedding } from './browser/embedded.ts';
import { applyTheme, currentTheme } from './browser/theme.ts';

applyTheme(currentTheme());
session.followOtherTabs();
adaptToEmbedding();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
root.replaceChildren();
render(<App />, root);
