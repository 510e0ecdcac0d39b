import { useId } from 'react';
import { terminalsCopy } from './copy.ts';
import type { PlayerState } from './Player.ts';

const words = terminalsCopy.player;

/** Where a recording is, and where output is missing; moving it jumps. */
export function Timeline({ state, onSeek }: { state: PlayerState; onSeek: (secs: number) => void }) {
  const { positionSecs, durationSecs, gapsSecs } = state;
  const id = useId();
  const max = Math.ceil(durationSecs * 10) / 10;
  // A whole step: where the browser rounds a value, the event after a move moves it once more.
  const value = positionSecs >= durationSecs ? max : Math.floor(positionSecs * 10) / 10;
  return (
    <div className="flex min-w-56 flex-1 flex-col gap-1">
      <label htmlFor={id} className="flex justify-between gap-2 text-label text-ink2">
        {words.position}
        <span className="tabular font-normal">
          {clock(positionSecs)} / {clock(durationSecs)}
        </span>
      </label>
      <div className="relative">
        <input
          id={id}
          type="range"
          min={0}
          max={max}
          step={0.1}
          value={value}
          aria-valuetext={clock(positionSecs)}
          onChange={(event) => onSeek(Number(event.target.value))}
          className="h-9 w-full accent-denim"
        />
        {gapsSecs.map((at, place) => (
          <span
            key={place}
            role="img"
            aria-label={words.gap(clock(at))}
            title={words.gap(clock(at))}
            className="absolute top-0 h-2 w-1 bg-warn-fill"
            style={{ insetInlineStart: `${durationSecs === 0 ? 0 : (at / durationSecs) * 100}%` }}
          />
        ))}
      </div>
    </div>
  );
}

/** A position, such as 1:05 or 1:00:05. */
function clock(secs: number): string {
  const whole = Math.floor(secs);
  const [hours, minutes, seconds] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n: number): string => String(n).padStart(2, '0');
  return hours === 0 ? `${minutes}:${two(seconds)}` : `${hours}:${two(minutes)}:${two(seconds)}`;
}
