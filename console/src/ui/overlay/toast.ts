/** How a toast speaks. */
export type ToastTone = 'info' | 'ok' | 'danger';

/** A toast on its way to the page. `durationMs` 0 is until dismissed. */
export type ToastRequest = {
  id: string;
  title: string;
  text?: string | undefined;
  tone: ToastTone;
  action?: { label: string; onClick: () => void } | undefined;
  durationMs: number;
};

type ToastOptions = Partial<Omit<ToastRequest, 'id' | 'title'>>;
type ToastPlace = { add: (request: ToastRequest) => void };

const undoMs = 8000;
const shownMs = 5000;
const waiting: ToastRequest[] = [];
let place: ToastPlace | undefined;
let count = 0;

/**
 * Shows a toast and returns its id. Errors stay until dismissed and are announced at once; one with an action stays 8 s,
 * others 5 s. May be called from anywhere, also before the page shows toasts.
 */
export function showToast(
  title: string,
  { tone = 'info', action, text, durationMs }: ToastOptions = {},
): string {
  count += 1;
  const fallbackMs = tone === 'danger' ? 0 : action === undefined ? shownMs : undoMs;
  const request = { id: `toast-${count}`, title, text, tone, action, durationMs: durationMs ?? fallbackMs };
  if (place === undefined) waiting.push(request);
  else place.add(request);
  return request.id;
}

/** Names the place that shows toasts, which gets those that waited for it. Returns the way to leave. */
export function connectToasts(next: ToastPlace): () => void {
  place = next;
  for (const request of waiting.splice(0)) next.add(request);
  return () => {
    if (place === next) place = undefined;
  };
}
