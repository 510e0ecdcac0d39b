import { useLazyModule } from '../../parts/use-lazy-module.ts';
import { useIdle } from '../use-idle.ts';

const loadBell = () =>
  import('./AlertBell.tsx').then(({ AlertBell }) => () => <AlertBell />);

/** The bell of the header, whose code is not of the first screen; its place is kept. */
export function LazyAlertBell() {
  const renderBell = useLazyModule(loadBell, useIdle());
  return <span className="size-9 shrink-0 pointer-coarse:size-11">{renderBell?.()}</span>;
}
