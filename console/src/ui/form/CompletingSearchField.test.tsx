import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { CompletingSearchField } from './CompletingSearchField.tsx';

const words = ['apple', 'apricot:', 'pear'];

/** Completes the word before the caret. */
function Fruit({ text = '' }: { text?: string }) {
  const [value, setValue] = useState(text);
  return (
    <CompletingSearchField
      label="Filter fruit"
      value={value}
      onValueChange={setValue}
      suggest={(whole, caret) => {
        const start = whole.lastIndexOf(' ', caret - 1) + 1;
        const typed = whole.slice(start, caret);
        const items = words
          .filter((word) => word.startsWith(typed) && word !== typed)
          .map((word) => ({ text: word, label: word, hint: `the ${word}` }));
        return { start, end: caret, isEager: typed !== '', items };
      }}
    />
  );
}

function setup(text?: string) {
  const user = userEvent.setup();
  render(<Fruit {...(text === undefined ? {} : { text })} />);
  return { user, field: screen.getByRole<HTMLInputElement>('combobox', { name: 'Filter fruit' }) };
}
const options = () => screen.queryAllByRole('option').map((option) => option.firstChild?.textContent);
const active = (field: HTMLElement) =>
  document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;

it('shows what may follow while the user types, and takes nothing by itself', async () => {
  const { user, field } = setup();
  await user.click(field);
  expect(options()).toEqual([]);
  await user.keyboard('ap');
  expect(options()).toEqual(['apple', 'apricot:']);
  expect(field).toHaveAttribute('aria-expanded', 'true');
  expect(field).toHaveAttribute('aria-controls', screen.getByRole('listbox', { name: 'Suggestions' }).id);
  expect(field).not.toHaveAttribute('aria-activedescendant');
  await user.keyboard('{Enter}');
  expect([field.value, options()]).toEqual(['ap', []]);
  expect(field).toHaveAttribute('aria-expanded', 'false');
  await user.keyboard('p');
  expect(options()).toEqual(['apple']);
  await user.tab();
  expect([field.value, options()]).toEqual(['app', []]);
  expect(screen.getByRole('button', { name: 'Clear' })).toHaveFocus();
});

it('takes the suggestion that the arrow keys have reached, by Enter and by Tab, in the middle of a text', async () => {
  const { user, field } = setup();
  await user.type(field, 'ap{ArrowDown}');
  expect(active(field)).toBe('applethe apple');
  await user.keyboard('{ArrowUp}');
  expect(active(field)).toBe('apricot:the apricot:');
  await user.keyboard('{ArrowDown}{Enter}');
  expect([field.value, options()]).toEqual(['apple', []]);
  field.setSelectionRange(0, 0);
  await user.keyboard('pe{ArrowDown}{Tab}');
  expect([field.value, field.selectionStart]).toEqual(['pearapple', 4]);
  expect(field).toHaveFocus();
});

it('opens by an arrow key, and closes by Escape before that clears the field', async () => {
  const { user, field } = setup('pe x');
  await user.click(field);
  await user.keyboard('{End} {ArrowDown}');
  expect(options()).toEqual(words);
  expect(active(field)).toBe('applethe apple');
  await user.keyboard('{Escape}');
  expect([field.value, options()]).toEqual(['pe x ', []]);
  await user.keyboard('{Escape}');
  expect(field).toHaveValue('');
});

it('takes a suggestion by a click, which keeps the focus in the field', async () => {
  const { user, field } = setup();
  await user.type(field, 'pe');
  await user.click(screen.getByRole('option', { name: /^pear/ }));
  expect(field).toHaveValue('pear');
  expect(field).toHaveFocus();
  expect(options()).toEqual([]);
});

it('closes when the caret moves away and when the field loses the focus', async () => {
  const { user, field } = setup();
  await user.type(field, 'ap');
  await user.keyboard('{ArrowLeft}');
  expect(options()).toEqual([]);
  await user.keyboard('{End}p');
  expect(options()).toEqual(['apple']);
  await user.click(document.body);
  expect([field.value, options()]).toEqual(['app', []]);
});

it('leaves an input method alone until its text is there', () => {
  const { field } = setup();
  fireEvent.compositionStart(field);
  fireEvent.input(field, { target: { value: 'ap' }, isComposing: true });
  expect([field.value, options()]).toEqual(['ap', []]);
  fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
  expect(field).toHaveValue('ap');
  fireEvent.compositionEnd(field);
  expect(options()).toEqual(['apple', 'apricot:']);
  fireEvent.keyDown(field, { key: 'ArrowDown' });
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
  expect(field).toHaveValue('ap');
});
