import { Spinner } from '../ui/picture/Spinner.tsx';

/** Shown while the session loads. */
export function SplashScreen() {
  return (
    <main className="flex min-h-dvh items-center justify-center text-denim">
      <Spinner size={40} />
    </main>
  );
}
