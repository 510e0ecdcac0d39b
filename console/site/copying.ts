import { words } from './copy.ts';

const shownMs = 1600;

/** Lets the button beside each block copy it. */
export function startCopying(): void {
  const said = document.body.appendChild(document.createElement('p'));
  said.role = 'status';
  said.className = 'sr-only';
  for (const block of document.querySelectorAll('pre[role=group]'))
    block.nextElementSibling?.addEventListener('click', ({ currentTarget }) => {
      if (currentTarget instanceof HTMLElement) void copy(block, currentTarget, said);
    });
}

async function copy(block: Element, button: HTMLElement, said: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
    said.textContent = words.copied;
    button.classList.add('text-ok');
    setTimeout(() => button.classList.remove('text-ok'), shownMs);
  } catch {
    said.textContent = words.copyFailed;
    getSelection()?.selectAllChildren(block);
  }
}
