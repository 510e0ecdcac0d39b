import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import {
  Fragment,
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { documentPath } from '../../parts/document-path.ts';
import { SearchField } from '../../ui/form/SearchField.tsx';
import { itemClass } from '../../ui/overlay/popup-class.ts';
import { documentationCopy } from './copy.ts';
import { loadPassages } from './search-documents.ts';
import { type FoundPassage, type Piece, searchPassages } from './search-passages.ts';

const words = documentationCopy.search;

/** Searches the headings and texts of all documents, which are loaded when it is focused first. */
export function DocumentSearch() {
  const [text, setText] = useState('');
  const [isWanted, setIsWanted] = useState(false);
  const [at, setAt] = useState({ text, index: 0 });
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const navigate = useNavigate();
  const { data: passages, isError } = useQuery({
    queryKey: ['documents'],
    queryFn: loadPassages,
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const asked = useDeferredValue(text);
  const found = useMemo(() => searchPassages(passages ?? [], asked), [passages, asked]);
  const active = at.text === text ? Math.min(at.index, found.length - 1) : 0;
  const isOpen = asked.trim() !== '' && text !== '' && (passages !== undefined || isError);
  const setActive = (index: number) => setAt({ text, index });
  function close(): void {
    setText('');
    field.current?.blur();
  }
  function onKeyDown(event: KeyboardEvent): void {
    const chosen = found[active];
    if (event.nativeEvent.isComposing || chosen === undefined) return;
    if (event.key === 'ArrowDown') setActive((active + 1) % found.length);
    else if (event.key === 'ArrowUp') setActive((active + found.length - 1) % found.length);
    else if (event.key === 'Enter') {
      close();
      void navigate({ to: documentPath(chosen.slug), hash: chosen.hash });
    } else return;
    event.preventDefault();
  }
  return (
    <SearchField
      label={words.label}
      value={text}
      onValueChange={setText}
      inputRef={field}
      input={{
        role: 'combobox',
        autoComplete: 'off',
        spellCheck: false,
        onFocus: () => setIsWanted(true),
        onKeyDown,
        'aria-autocomplete': 'list',
        'aria-expanded': isOpen && found.length > 0,
        'aria-controls': isOpen && found.length > 0 ? listId : undefined,
        'aria-activedescendant': isOpen && found.length > 0 ? `${listId}-${active}` : undefined,
      }}
    >
      {isOpen && (
        <div className="absolute start-0 top-full z-40 mt-1 max-h-[min(32rem,70dvh)] w-full overflow-y-auto overscroll-contain rounded-card border border-line bg-raised p-1 shadow-float lg:w-120">
          {found.length === 0 ? (
            <p role="status" className="px-2.5 py-2 text-body text-ink2">
              {isError ? words.failed : words.nothing}
            </p>
          ) : (
            <div id={listId} role="listbox" aria-label={words.results}>
              {found.map((passage, index) => (
                <Result
                  key={`${passage.slug}#${passage.hash}`}
                  id={`${listId}-${index}`}
                  passage={passage}
                  isActive={index === active}
                  onPoint={() => setActive(index)}
                  onChoose={close}
                />
              ))}
            </div>
          )}
        </div>
      )}
    </SearchField>
  );
}

function Result({
  id,
  passage: { slug, hash, path, heading, excerpt },
  isActive,
  onPoint,
  onChoose,
}: {
  id: string;
  passage: FoundPassage;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}) {
  const element = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isActive]);
  return (
    <Link
      ref={element}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      to={documentPath(slug)}
      hash={hash}
      onPointerMove={isActive ? undefined : onPoint}
      // Keeps the focus in the field until the page is left.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={`${itemClass} block! py-1.5 aria-selected:bg-denim-wash`}
    >
      <span className="flex flex-wrap items-center gap-x-1 text-body">
        {path.slice(0, -1).map((part) => (
          <Fragment key={part}>
            <span className="text-ink2">{part}</span>
            <ChevronRight size={13} aria-hidden className="shrink-0 text-ink3 rtl:-scale-x-100" />
          </Fragment>
        ))}
        <b className="font-head text-ink">
          <Marked pieces={heading} />
        </b>
      </span>
      <span className="line-clamp-2 text-small wrap-anywhere text-ink2">
        <Marked pieces={excerpt} />
      </span>
    </Link>
  );
}

function Marked({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map(([text, isFound], index) =>
    isFound ? (
      <mark key={index} className="rounded-[2px] bg-warn-wash text-ink">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
