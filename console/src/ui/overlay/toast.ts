/** The colour and urgency of a toast. */
export type ToastTone = 'info' | 'ok' | 'danger';

/** How much of a task is done. */
export type ToastProgress = { done: number; total: number };

/** A toast to show. `durationMs` 0 keeps it until it is dismissed. */
export type ToastRequest = {
  id: string;
  title: string;
  text?: string | undefined;
  tone: ToastTone;
  progress?: ToastProgress | undefined;
  /** Changes the toast with this `id`, and does nothing once that was dismissed. */
  isUpdate?: boolean | undefined;
  action?: { label: string; onClick: () => void } | undefined;
  durationMs: number;
};

type ToastOptions = Partial<Omit<ToastRequest, 'title'>>;
type ToastHost = { add: (request: ToastRequest) => void };

const undoMs = 8000;
const shownMs = 5000;
const queued: ToastRequest[] = [];
let host: ToastHost | undefined;
let count = 0;

/**
 * Shows a toast, also before `Toasts` is mounted, and returns its id. Errors stay until dismissed and are announced at once; a toast with
 * an action stays 8 s, others 5 s, progress until another toast with its `id` replaces it.
 */
export function showToast(
  title: string,
  { id, tone = 'info', action, text, progress, isUpdate, durationMs }: ToastOptions = {},
): string {
  count += 1;
  const fallbackMs =
    tone === 'danger' || progress !== undefined ? 0 : action === undefined ? shownMs : undoMs;
  const request: ToastRequest = {
    id: id ?? `toast-${count}`,
    title,
    text,
    tone,
    progress,
    isUpdate,
    action,
    durationMs: durationMs ?? fallbackMs,
  };
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
