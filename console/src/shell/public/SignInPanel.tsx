import { ArrowRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { publicCopy } from './copy.ts';

const columns = 16;
const rows = 11;
const pitch = 26;
const durationMs = 4500;

/**
 * Presents the product beside the sign-in and sign-up forms on large screens: an animation of devices that connect within five
 * seconds. With `isSignUp` it explains what an account is.
 */
export function SignInPanel({ productUrl, isSignUp }: { productUrl: string | undefined; isSignUp: boolean }) {
  return (
    <aside
      aria-label={publicCopy.about}
      className="sticky top-0 flex max-h-dvh w-[44%] shrink-0 flex-col justify-between gap-8 overflow-hidden bg-panel p-15 text-panel-ink max-lg:hidden"
    >
      <ConnectingDots />
      <div>
        <div aria-hidden className="mb-6 h-[5px] border-y border-panel-line" />
        <h2 className="text-title">
          <span className="own-direction block">{publicCopy.panelFirst}</span>
          <span className="own-direction block">{publicCopy.panelSecond}</span>
        </h2>
        <p className="mt-2.5 max-w-[26rem] text-body text-panel-ink2">{publicCopy.panelText}</p>
        {isSignUp && (
          <p className="mt-4 max-w-[26rem] border-s-2 border-panel-rivet ps-3 text-body text-balance text-panel-ink">
            {publicCopy.panelAccounts}
          </p>
        )}
        <a
          href={productUrl ?? '/docs'}
          className="mt-5 inline-flex items-center gap-2 rounded-control text-body font-head text-panel-rivet hover:underline focus-visible:outline-panel-ink"
        >
          {publicCopy.about}
          <ArrowRight size={15} aria-hidden />
        </a>
      </div>
    </aside>
  );
}

function ConnectingDots() {
  const [isStarted, setIsStarted] = useState(false);
  useEffect(() => {
    const frame = window.requestAnimationFrame(() => setIsStarted(true));
    return () => window.cancelAnimationFrame(frame);
  }, []);
  return (
    <svg
      role="img"
      aria-label={publicCopy.panelPicture}
      viewBox={`0 0 ${columns * pitch} ${rows * pitch}`}
      data-started={isStarted || undefined}
      className="group h-auto max-h-[45dvh] w-full max-w-[26rem]"
    >
      {panelDots.map(({ x, y, connectsAtMs }) => (
        <circle
          key={`${x}-${y}`}
          cx={x}
          cy={y}
          r={6.2}
          strokeWidth={1.6}
          className={
            connectsAtMs === undefined
              ? 'fill-transparent stroke-panel-off'
              : 'fill-transparent stroke-panel-off transition-[fill,stroke] duration-180 group-data-started:fill-panel-ok group-data-started:stroke-panel-ok motion-reduce:delay-0!'
          }
          style={connectsAtMs === undefined ? undefined : { transitionDelay: `${connectsAtMs}ms` }}
        />
      ))}
    </svg>
  );
}

interface PanelDot {
  readonly x: number;
  readonly y: number;
  /** Undefined for a dot that never connects. */
  readonly connectsAtMs: number | undefined;
}

// Some dots never connect, most of them in the last two rows, so that the grid looks irregular.
const panelDots: readonly PanelDot[] = Array.from({ length: columns * rows }, (_, index) => {
  const row = Math.floor(index / columns);
  const random = pseudoRandom(index);
  const missingShare = row === rows - 1 ? 0.74 : row === rows - 2 ? 0.42 : 0.05;
  return {
    x: (index % columns) * pitch + pitch / 2,
    y: row * pitch + pitch / 2,
    connectsAtMs:
      random < missingShare ? undefined : Math.round(300 + pseudoRandom(index + 500) * (durationMs - 600)),
  };
});

/** A deterministic pseudo-random number from 0 to 1. */
function pseudoRandom(seed: number): number {
  const value = Math.sin(seed * 12.9898 + 4.1414) * 43758.5453;
  return value - Math.floor(value);
}
