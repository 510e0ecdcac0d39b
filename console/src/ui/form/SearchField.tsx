import { Search, X } from 'lucide-react';
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { uiCopy } from '../copy.ts';
import { Kbd } from '../text/Kbd.tsx';
import { isTyping } from './keys.ts';
import { areShortcutsWanted } from '../style/theme.ts';

/** The props of a filter of the page. */
export type SearchFieldProps = {
  label: string;
  value: string;
  onValueChange: (value: string) => void;
  placeholder?: string | undefined;
  className?: string | undefined;
  /** The id of the element that says what is wrong with the value. */
  errorId?: string | undefined;
};

/** A filter for the page. `/` focuses it; Escape clears it, a second Escape blurs it, unless `input` handles the key. */
export function SearchField({
  label,
  value,
  onValueChange,
  placeholder = label,
  className,
  errorId,
  inputRef,
  input: more,
  children,
}: SearchFieldProps & {
  inputRef?: RefObject<HTMLInputElement | null> | undefined;
  /** Further attributes of the input. */
  input?: Omit<ComponentProps<'input'>, 'ref' | 'value'> | undefined;
  /** What floats below the input. */
  children?: ReactNode;
}) {
  const own = useRef<HTMLInputElement>(null);
  const input = inputRef ?? own;
  useFocusOnSlash(input);
  return (
    <div role="search" aria-label={label} className={`relative print:hidden ${className ?? ''}`}>
      <Search
        size={16}
        aria-hidden
        className="pointer-events-none absolute inset-y-0 start-3 my-auto text-ink3"
      />
      <input
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        aria-invalid={errorId !== undefined || undefined}
        aria-describedby={errorId}
        {...more}
        value={value}
        onChange={(event) => {
          onValueChange(event.target.value);
          more?.onChange?.(event);
        }}
        onKeyDown={(event) => {
          more?.onKeyDown?.(event);
          if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
          if (value === '') event.currentTarget.blur();
          else onValueChange('');
        }}
        className="peer h-8.5 w-full rounded-control border border-line-strong bg-surface aria-invalid:border-danger ps-9 pe-9 text-body text-ink focus-visible:outline-offset-0 max-sm:h-11 max-sm:text-input pointer-coarse:h-11 pointer-coarse:pe-12 [&::-webkit-search-cancel-button]:hidden"
      />
      {value === '' ? (
        <span
          aria-hidden
          className="pointer-events-none absolute inset-y-0 end-2 flex items-center max-sm:hidden pointer-coarse:hidden"
        >
          <Kbd>/</Kbd>
        </span>
      ) : (
        <button
          type="button"
          aria-label={uiCopy.field.clear}
          onClick={() => {
            onValueChange('');
            input.current?.focus();
          }}
          className="absolute inset-y-0 end-1 my-auto flex size-7 items-center justify-center rounded-control text-ink3 hover:text-ink focus-visible:outline-offset-0 pointer-coarse:end-0 pointer-coarse:size-11"
        >
          <X size={15} aria-hidden />
        </button>
      )}
      {children}
    </div>
  );
}

function useFocusOnSlash(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    function focusOnSlash(event: KeyboardEvent): void {
      if (event.key !== '/' || isTyping(event) || !areShortcutsWanted()) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    }
    document.addEventListener('keydown', focusOnSlash);
    return () => document.removeEventListener('keydown', focusOnSlash);
  }, [input]);
}
