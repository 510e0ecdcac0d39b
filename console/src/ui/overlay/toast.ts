/** The colour and urgency of a toast. */
export type ToastTone = 'info' | 'ok' | 'danger';

/** A toast to show. `durationMs` 0 keeps it until it is dismissed. */
export type ToastRequest = {
  id: string;
  title: string;
  text?: string | undefined;
  tone: ToastTone;
  action?: { label: string; onClick: () => void } | undefined;
  durationMs: number;
};

type ToastOptions = Partial<Omit<ToastRequest, 'id' | 'title'>>;
type ToastHost = { add: (request: ToastRequest) => void };

const undoMs = 8000;
const shownMs = 5000;
const queued: ToastRequest[] = [];
let host: ToastHost | undefined;
let count = 0;

/**
 * Shows a toast and returns its id. Errors stay until dismissed and are announced at once; a toast with an action stays 8 s,
 * others 5 s. Can be called before `Toasts` is mounted: the toast then waits for it.
 */
export function showToast(
  title: string,
  { tone = 'info', action, text, durationMs }: ToastOptions = {},
): string {
  count += 1;
  const fallbackMs = tone === 'danger' ? 0 : action === undefined ? shownMs : undoMs;
  const request = { id: `toast-${count}`, title, text, tone, action, durationMs: durationMs ?? fallbackMs };
  if (host === undefined) queued.push(request);
  else host.add(request);
  return request.id;
}

/** Connects the component that renders toasts; it gets the queued ones first. Returns a function that disconnects it. */
export function connectToasts(next: ToastHost): () => void {
  host = next;
  for (const request of queued.splice(0)) next.add(request);
  return () => {
    if (host === next) host = undefined;
  };
}
