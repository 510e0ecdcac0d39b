import { type PointerEvent, useEffect, useRef, useState } from 'react';

/** A tag that is dragged. */
export interface DraggedTag {
  readonly tag: string;
  /** The version that it points at. */
  readonly from: string;
}

/** A tag that is dragged, and the other version that the pointer is over. */
export interface PlateDrag extends DraggedTag {
  readonly over: string | undefined;
}

// A press that moves less is a click.
const minDistance = 5;

interface Tracking {
  /** Undefined when the drag has ended. */
  readonly onChange: (drag: PlateDrag | undefined) => void;
  readonly onPoint: (event: MouseEvent) => void;
  readonly onDrop: (versionId: string) => void;
}

/**
 * Drags the plates of tags by the mouse, over elements with `data-rung`; by touch the page scrolls, and the menu moves a tag. Escape cancels. `float` is the element
 * that follows the pointer.
 */
export function usePlateDrag(onDrop: (dragged: DraggedTag, versionId: string) => void) {
  const [drag, setDrag] = useState<PlateDrag>();
  const float = useRef<HTMLDivElement>(null);
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);

  function begin(press: PointerEvent, dragged: DraggedTag): void {
    if (press.button !== 0 || press.pointerType !== 'mouse') return;
    stop.current = track(press, dragged, {
      onChange: setDrag,
      onPoint: (event) => place(float.current, event),
      onDrop: (versionId) => onDrop(dragged, versionId),
    });
  }

  return { drag, begin, float };
}

/** Follows the pointer from a press to its release; returns a function that ends this. */
function track(
  press: PointerEvent,
  dragged: DraggedTag,
  { onChange, onPoint, onDrop }: Tracking,
): () => void {
  const listeners = new AbortController();
  let current: PlateDrag | undefined;
  const end = (): void => {
    listeners.abort();
    onChange(undefined);
  };
  const move = (event: MouseEvent): void => {
    const distance = Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY);
    if (current === undefined && distance < minDistance) return;
    const over = rungOf(event.target, dragged);
    if (current?.over !== over || current === undefined) onChange((current = { ...dragged, over }));
    onPoint(event);
  };
  const release = (): void => {
    end();
    if (current === undefined) return;
    ignoreNextClick();
    if (current.over !== undefined) onDrop(current.over);
  };
  const cancel = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || current === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    end();
    window.addEventListener('pointerup', ignoreNextClick, { once: true });
  };
  const { signal } = listeners;
  window.addEventListener('pointermove', move, { signal });
  window.addEventListener('pointerup', release, { signal });
  window.addEventListener('keydown', cancel, { signal, capture: true });
  for (const name of ['pointercancel', 'blur']) window.addEventListener(name, end, { signal });
  return () => listeners.abort();
}

function rungOf(target: EventTarget | null, { from }: DraggedTag): string | undefined {
  const rung = target instanceof Element ? target.closest<HTMLElement>('[data-rung]') : null;
  const versionId = rung?.dataset['rung'];
  return versionId === from ? undefined : versionId;
}

function place(element: HTMLElement | null, { clientX, clientY }: MouseEvent): void {
  if (element !== null) element.style.transform = `translate(${clientX + 8}px, ${clientY - 12}px)`;
}

/** The release of a drag on its own plate is no click. */
function ignoreNextClick(): void {
  const ignore = (event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', ignore, { capture: true, once: true });
  setTimeout(() => window.removeEventListener('click', ignore, { capture: true }));
}
