import { useRender } from '@base-ui/react/use-render';
import { type MouseEvent, useEffect, useId, useRef } from 'react';
import { uiCopy } from '../copy.ts';
import { itemClass } from '../overlay/popup-class.ts';
import { SearchField, type SearchFieldProps } from './SearchField.tsx';
import { type Suggest, type Suggestion, useSuggestions } from './use-suggestions.ts';

/** A SearchField with completion at the caret. `onListChange` is called with whether suggestions show. */
export function CompletingSearchField({
  suggest,
  onListChange,
  onFocus,
  ...field
}: SearchFieldProps & {
  suggest: Suggest;
  onListChange?: ((isOpen: boolean) => void) | undefined;
  onFocus?: (() => void) | undefined;
}) {
  const inputRef = useRef<HTMLInputElement>(null);
  const listId = useId();
  const { items, active, setActive, accept, input } = useSuggestions({ ...field, inputRef, suggest });
  const isOpen = items.length > 0;
  useEffect(() => onListChange?.(isOpen), [isOpen, onListChange]);
  return (
    <SearchField
      {...field}
      inputRef={inputRef}
      input={{
        ...input,
        onFocus,
        type: 'text',
        role: 'combobox',
        enterKeyHint: 'search',
        autoComplete: 'off',
        autoCapitalize: 'off',
        spellCheck: false,
        'aria-autocomplete': 'list',
        'aria-expanded': isOpen,
        'aria-controls': isOpen ? listId : undefined,
        'aria-activedescendant': active >= 0 ? `${listId}-${active}` : undefined,
      }}
    >
      {isOpen && (
        <div
          id={listId}
          role="listbox"
          aria-label={uiCopy.field.suggestions}
          className="absolute start-0 top-full z-40 mt-1 max-h-[min(20rem,50dvh)] w-full overflow-y-auto overscroll-contain rounded-card border border-line bg-raised p-1 shadow-float sm:w-110"
        >
          {items.map((item, index) => (
            <Option
              key={item.text}
              id={`${listId}-${index}`}
              item={item}
              isActive={index === active}
              onPoint={() => setActive(index)}
              onChoose={() => accept(item)}
            />
          ))}
        </div>
      )}
    </SearchField>
  );
}

function Option({
  id,
  item: { label, hint },
  isActive,
  onPoint,
  onChoose,
}: {
  id: string;
  item: Suggestion;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isActive]);
  return useRender({
    ref: element,
    defaultTagName: 'div',
    props: {
      id,
      role: 'option',
      tabIndex: -1,
      'aria-selected': isActive,
      // On move, not on enter: an option that scrolls under a resting pointer must not become active.
      onPointerMove: isActive ? undefined : onPoint,
      // Keeps the focus in the field.
      onMouseDown: (event: MouseEvent) => event.preventDefault(),
      onClick: onChoose,
      className: `${itemClass} aria-selected:bg-denim-wash`,
      children: (
        <>
          <span dir="ltr" className="max-w-[60%] min-w-0 shrink-0 truncate font-mono text-mono">
            {label}
          </span>
          {hint !== undefined && (
            <span className="own-direction min-w-0 flex-1 truncate text-end text-small text-ink3">
              {hint}
            </span>
          )}
        </>
      ),
    },
  });
}
