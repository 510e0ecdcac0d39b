import { ArrowRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { enLogin } from '../copy/en-login.ts';

const columns = 16;
const rows = 11;
const pitch = 26;
const lastsMs = 4500;

/**
 * What the product is, beside the forms for signing in and up on large screens: a pen whose devices connect within five
 * seconds. With `isSignUp` it says what an account is.
 */
export function SignInPanel({ productUrl, isSignUp }: { productUrl: string | undefined; isSignUp: boolean }) {
  return (
    <aside
      aria-label={enLogin.login.about}
      className="sticky top-0 flex h-dvh w-[44%] shrink-0 flex-col justify-between gap-8 overflow-hidden bg-panel p-15 text-panel-ink max-lg:hidden"
    >
      <ConnectingPen />
      <div>
        <div aria-hidden className="mb-6 h-[5px] border-y border-panel-line" />
        <h2 className="text-title">
          <span className="own-direction block">{enLogin.login.panelFirst}</span>
          <span className="own-direction block">{enLogin.login.panelSecond}</span>
        </h2>
        <p className="mt-2.5 max-w-[26rem] text-body text-panel-ink2">{enLogin.login.panelText}</p>
        {isSignUp && (
          <p className="mt-4 max-w-[26rem] border-s-2 border-panel-rivet ps-3 text-body text-balance text-panel-ink">
            {enLogin.login.panelAccounts}
          </p>
        )}
        {productUrl !== undefined && (
          <a
            href={productUrl}
            className="mt-5 inline-flex items-center gap-2 rounded-control text-body font-head text-panel-rivet hover:underline focus-visible:outline-panel-ink"
          >
            {enLogin.login.about}
            <ArrowRight size={15} aria-hidden />
          </a>
        )}
      </div>
    </aside>
  );
}

function ConnectingPen() {
  const [isStarted, setIsStarted] = useState(false);
  useEffect(() => {
    const frame = window.requestAnimationFrame(() => setIsStarted(true));
    return () => window.cancelAnimationFrame(frame);
  }, []);
  return (
    <svg
      role="img"
      aria-label={enLogin.login.panelPicture}
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
  /** Undefined for one that stays away. */
  readonly connectsAtMs: number | undefined;
}

// The last rows are still filling up, and here and there one is missing: a herd and not a pattern.
const panelDots: readonly PanelDot[] = Array.from({ length: columns * rows }, (_, index) => {
  const row = Math.floor(index / columns);
  const chance = scatter(index);
  const missing = row === rows - 1 ? 0.74 : row === rows - 2 ? 0.42 : 0.05;
  return {
    x: (index % columns) * pitch + pitch / 2,
    y: row * pitch + pitch / 2,
    connectsAtMs: chance < missing ? undefined : Math.round(300 + scatter(index + 500) * (lastsMs - 600)),
  };
});

/** A number from 0 to 1 that looks like chance and is the same every time. */
function scatter(seed: number): number {
  const turned = Math.sin(seed * 12.9898 + 4.1414) * 43758.5453;
  return turned - Math.floor(turned);
}
