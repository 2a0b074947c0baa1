import type { BrowserFiles } from '../browser-files.ts';
import type { EncodedAsset } from '../encoded.ts';
import { toPage } from '../page.ts';

/** The first page of a new server: three steps to the first event. The script fills in what it learns. */
export function toWelcomePage(files: BrowserFiles): EncodedAsset {
  return toPage({
    title: 'Welcome to Pagemeter',
    description: 'Self-hosted web analytics: create an account, add a website, copy its script tag.',
    style: files.welcomeStyle,
    script: files.welcomeScript,
    body: BODY,
  });
}

const BODY = `<header>
<span class="brand"><img src="/favicon.svg" alt="" width="28" height="28"> Pagemeter</span>
<nav aria-label="Documentation"><a href="/docs">API</a></nav>
</header>
<main>
<h1>Web analytics on a server of your own.</h1>
<p class="lead">One process, one file, one script tag. No cookies, and nothing is sent to anybody else. Three steps to the first figures:</p>
<noscript><p class="note">The steps on this page need JavaScript. Without it, the <a href="/docs">API</a> does the same.</p></noscript>
<ol class="steps">

<li id="account" data-state="current">
<h2 tabindex="-1">Your account</h2>
<form novalidate>
<fieldset>
<legend class="unseen">New here?</legend>
<label><input type="radio" name="mode" value="register" checked> Create an account</label>
<label><input type="radio" name="mode" value="login"> Log in</label>
</fieldset>
${toField({ id: 'email', label: 'E-mail', attributes: 'type="email" autocomplete="username" maxlength="254"' })}
${toField({
  id: 'password',
  label: 'Password',
  attributes: 'type="password" autocomplete="new-password" maxlength="128"',
  hint: 'At least 8 characters, one of them uppercase.',
})}
<p class="fault" role="alert"></p>
<button>Create account</button>
</form>
<div class="done" hidden>
<p>Logged in as <strong id="who"></strong>. <button type="button" class="plain" id="logout">Log out</button></p>
<div class="note" id="key-note" hidden>
<p>Your API key, for programs. It is shown this once; only its hash is kept.</p>
<p class="copy"><code id="key"></code> <button type="button" class="small" data-copies="key">Copy key</button></p>
</div>
</div>
</li>

<li id="website" data-state="later">
<h2 tabindex="-1">Your website</h2>
<div class="known" hidden>
<p>Choose one, or add another:</p>
<ul id="websites"></ul>
</div>
<form novalidate hidden>
${toField({ id: 'name', label: 'Name', attributes: 'autocomplete="off" maxlength="100"' })}
${toField({
  id: 'domain',
  label: 'Address',
  attributes:
    'type="url" inputmode="url" autocomplete="url" maxlength="2048" placeholder="https://example.com"',
})}
<p class="fault" role="alert"></p>
<button>Add website</button>
</form>
<p class="done" hidden><strong id="chosen"></strong> <span id="chosen-domain"></span> <button type="button" class="plain" id="other">Another website</button></p>
</li>

<li id="script" data-state="later">
<h2 tabindex="-1">The script tag</h2>
<div class="work" hidden>
<p>Put this line into the <code>&lt;head&gt;</code> of every page, then open one of them.</p>
<pre><code id="tag"></code></pre>
<p><button type="button" data-copies="tag">Copy script tag</button></p>
<p class="note" id="address-note" hidden></p>
<section aria-labelledby="events-title">
<h3 id="events-title">Events</h3>
<p class="waiting" id="status" role="status"></p>
<ol id="events" class="events" hidden></ol>
<p class="quiet">No page at hand? <button type="button" class="plain" id="try">Send a test event</button>. It is stored like any other.</p>
</section>
</div>
</li>

</ol>
<p class="unseen" role="status" id="said"></p>
</main>`;

type Field = { id: string; label: string; attributes: string; hint?: string };

function toField({ id, label, attributes, hint }: Field): string {
  const described = hint ? `${id}-hint ${id}-fault` : `${id}-fault`;
  return `<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${id}" ${attributes} aria-describedby="${described}">
${hint ? `<p class="hint" id="${id}-hint">${hint}</p>\n` : ''}<p class="fault" id="${id}-fault"></p>
</div>`;
}
