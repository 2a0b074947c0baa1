import { accountStep } from './account.ts';
import { element, part } from './dom.ts';
import { scriptStep } from './script-tag.ts';
import { openSession } from './session.ts';
import { websiteStep } from './website.ts';

/** The welcome page: three steps, one after the other. Replaced by the dashboard one day. */

const STEPS = ['account', 'website', 'script'] as const;

const session = openSession();
const script = scriptStep({ session, onExpired: () => account.logOut() });
const website = websiteStep({
  session,
  onChosen: (chosen) => {
    script.open(chosen);
    goTo('script');
  },
  onOther: () => {
    script.close();
    goTo('website');
  },
});
const account = accountStep({
  session,
  onLogin: () => {
    goTo('website');
    void website.open().catch(() => account.logOut());
  },
  onLogout: () => {
    website.close();
    script.close();
    goTo('account');
  },
});

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copies]'))
  button.addEventListener('click', () => void copy(button));
void account.resume();

/** Marks what is done, current and to come, and moves the focus to the heading of the current step. */
function goTo(current: (typeof STEPS)[number]): void {
  const currentIndex = STEPS.indexOf(current);
  for (const [index, id] of STEPS.entries())
    element(id).dataset.state = index < currentIndex ? 'done' : index === currentIndex ? 'current' : 'later';
  part(element(current), 'h2').focus();
}

/** The clipboard is for secure pages only; elsewhere the text is selected, ready for the keyboard. */
async function copy(button: HTMLButtonElement): Promise<void> {
  const source = element(button.dataset.copies ?? '');
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
    element('said').textContent = 'Copied.';
    const label = button.textContent;
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = label;
    }, 2_000);
  } catch {
    getSelection()?.selectAllChildren(source);
    element('said').textContent = 'Selected. Copy it with your keyboard.';
  }
}
