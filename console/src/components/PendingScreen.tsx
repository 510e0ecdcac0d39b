import { Spinner } from '../ui/picture/Spinner.tsx';

/** What shows while a route loads for longer than the router waits. */
export function PendingScreen() {
  return (
    <div className="flex min-h-64 items-center justify-center text-denim">
      <Spinner size={40} />
    </div>
  );
}
