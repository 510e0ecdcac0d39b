import { documentationCopy } from '../src/features/documentation/copy.ts';
import {
  type FoundPassage,
  type Passage,
  type Piece,
  searchPassages,
} from '../src/features/documentation/search-passages.ts';
import { isTyping } from '../src/ui/form/keys.ts';
import { itemClass } from '../src/ui/overlay/popup-class.ts';
import { addressOf } from './addresses.ts';

const words = documentationCopy.search;
const listId = 'found';

/** Searches what `search.json` lists, which is fetched when the field is focused first. */
export function startSearch(): void {
  const input = document.querySelector<HTMLInputElement>('[role=search] input');
  const results = document.querySelector<HTMLElement>('[data-results]');
  if (input === null || results === null) return;
  const list = new FoundList(input, results);
  input.addEventListener('focus', () => void list.load());
  input.addEventListener('input', () => list.show());
  input.addEventListener('blur', () => (results.hidden = true));
  input.addEventListener('keydown', (event) => {
    if (!event.isComposing && list.handles(event.key)) event.preventDefault();
  });
  // Keeps the focus in the field until the page is left.
  results.addEventListener('mousedown', (event) => event.preventDefault());
  results.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a') !== null) list.close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || isTyping(event)) return;
    event.preventDefault();
    input.focus();
  });
}

/** What was found, below the field. */
class FoundList {
  readonly #input: HTMLInputElement;
  readonly #results: HTMLElement;
  #passages: readonly Passage[] | undefined;
  #active = 0;

  constructor(input: HTMLInputElement, results: HTMLElement) {
    this.#input = input;
    this.#results = results;
  }

  async load(): Promise<void> {
    this.#passages ??= await fetchPassages();
    this.show();
  }

  show(): void {
    const found = this.#passages === undefined ? [] : searchPassages(this.#passages, this.#input.value);
    this.#results.hidden = this.#input.value.trim() === '';
    this.#results.replaceChildren(
      found.length === 0 ? sentence(this.#passages === undefined) : listOf(found),
    );
    this.#setActive(0);
  }

  close(): void {
    this.#input.value = '';
    this.show();
  }

  /** Does what a key is for; false for other keys. */
  handles(key: string): boolean {
    const options = this.#options();
    if (key === 'Escape' && this.#input.value === '') this.#input.blur();
    else if (key === 'Escape') this.close();
    else if (options.length === 0) return false;
    else if (key === 'ArrowDown') this.#setActive((this.#active + 1) % options.length);
    else if (key === 'ArrowUp') this.#setActive((this.#active + options.length - 1) % options.length);
    else if (key === 'Enter') options[this.#active]?.click();
    else return false;
    return true;
  }

  #options(): HTMLAnchorElement[] {
    return [...this.#results.querySelectorAll<HTMLAnchorElement>('[role=option]')];
  }

  #setActive(index: number): void {
    const options = this.#options();
    this.#active = index;
    for (const [at, option] of options.entries()) {
      option.ariaSelected = String(at === index);
      if (at === index) option.scrollIntoView({ block: 'nearest' });
    }
    const isOpen = !this.#results.hidden && options.length > 0;
    this.#input.ariaExpanded = String(isOpen);
    if (isOpen) this.#input.setAttribute('aria-activedescendant', `${listId}-${index}`);
    else this.#input.removeAttribute('aria-activedescendant');
  }
}

async function fetchPassages(): Promise<readonly Passage[] | undefined> {
  try {
    const answer = await fetch(`${document.documentElement.dataset['root']}search.json`);
    return answer.ok ? ((await answer.json()) as Passage[]) : undefined;
  } catch {
    return undefined;
  }
}

function sentence(isFailed: boolean): HTMLElement {
  const element = document.createElement('p');
  element.role = 'status';
  element.className = 'px-2.5 py-2 text-body text-ink2';
  element.textContent = isFailed ? words.failed : words.nothing;
  return element;
}

function listOf(found: readonly FoundPassage[]): HTMLElement {
  const list = document.createElement('div');
  list.id = listId;
  list.role = 'listbox';
  list.ariaLabel = words.results;
  list.append(...found.map(optionOf));
  return list;
}

function optionOf({ slug, hash, path, heading, excerpt }: FoundPassage, index: number): HTMLElement {
  const option = document.createElement('a');
  option.id = `${listId}-${index}`;
  option.role = 'option';
  option.tabIndex = -1;
  option.href = document.documentElement.dataset['root'] + addressOf(slug, hash).slice(1);
  option.className = `${itemClass} block! py-1.5 aria-selected:bg-denim-wash`;
  const title = document.createElement('span');
  title.className = 'block text-body wrap-anywhere text-ink2';
  const last = document.createElement('b');
  last.className = 'font-head text-ink';
  last.append(...marked(heading));
  title.append(...path.slice(0, -1).map((part) => `${part} › `), last);
  const text = document.createElement('span');
  text.className = 'line-clamp-2 text-small wrap-anywhere text-ink2';
  text.append(...marked(excerpt));
  option.append(title, text);
  return option;
}

function marked(pieces: readonly Piece[]): (string | HTMLElement)[] {
  return pieces.map(([text, isFound]) => {
    if (!isFound) return text;
    const mark = document.createElement('mark');
    mark.className = 'rounded-[2px] bg-warn-wash text-ink';
    mark.textContent = text;
    return mark;
  });
}
