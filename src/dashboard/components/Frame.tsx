import type { ComponentChildren } from 'preact';
import { call } from '../api/client.ts';
import { session } from '../api/session.ts';
import { toHref } from '../browser/base-path.ts';
import { setTheme, THEMES, useTheme } from '../browser/theme.ts';
import { Link } from './Link.tsx';
import { Menu } from './Menu.tsx';

type Props = {
  /** Next to the name of the product: the website, the links of its pages. */
  head?: ComponentChildren;
  children: ComponentChildren;
};

/** Header and main area of every page. */
export function Frame({ head, children }: Props) {
  const { login } = session.get();
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <Link to="/" class="brand" aria-label="Pagemeter">
          <img src={toHref('/favicon.svg')} alt="" width="26" height="26" />
          <span class="brand-name">Pagemeter</span>
        </Link>
        <div class="top-middle">{head}</div>
        {login ? <AccountMenu email={login.email} /> : !isEmbedded() && <Link to="/">Log in</Link>}
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** Whether a page of another website shows this one in a frame. */
function isEmbedded(): boolean {
  return window.top !== window;
}

function AccountMenu({ email }: { email: string }) {
  const theme = useTheme();
  return (
    <Menu
      label={<span class="avatar">{email.slice(0, 1).toUpperCase()}</span>}
      name="Account menu"
      align="end"
    >
      <p class="menu-note">{email}</p>
      <Link to="/">Websites</Link>
      <Link to="/account">Account</Link>
      <a href={toHref('/docs/guide')}>Documentation</a>
      <a href={toHref('/docs')}>API</a>
      <fieldset class="theme-choice">
        <legend>Appearance</legend>
        {THEMES.map((choice) => (
          <button
            key={choice}
            type="button"
            class="quiet small capital"
            aria-pressed={choice === theme}
            onClick={() => setTheme(choice)}
          >
            {choice}
          </button>
        ))}
      </fieldset>
      <button type="button" onClick={logOut}>
        Log out
      </button>
    </Menu>
  );
}

function logOut(): void {
  call('POST', '/auth/logout').catch(() => {}); // the login ends here in any case
  session.end();
}
