import { useEffect, useRef, useState } from 'react';
import { contrastPairs } from '../../ui/style/contrast-pairs.ts';
import { contrastRatio, parseColour } from '../../ui/style/contrast.ts';
import { Specimen } from './Specimen.tsx';

const swatches = [
  ['canvas', 'surface', 'sunken', 'raised', 'line', 'line-strong'],
  ['ink', 'ink2', 'ink3', 'denim', 'denim-wash', 'rivet', 'rivet-wash'],
  ['ok', 'ok-wash', 'warn', 'warn-wash', 'danger', 'danger-wash', 'mute-wash'],
  ['ok-fill', 'ok-soft', 'warn-fill', 'danger-fill', 'info-fill', 'edge', 'v1', 'v2', 'v3', 'v4'],
];

/** The colours, and the contrast of every pair as this browser resolves it in this theme. */
export function ColourSpecimens({ theme }: { theme: string }) {
  return (
    <Specimen title="Colours" meta="denim and rivet on canvas">
      <div className="flex flex-col gap-3">
        {swatches.map((row) => (
          <div key={row[0]} className="flex flex-wrap gap-3">
            {row.map((name) => (
              <div key={name} className="flex w-24 flex-col gap-1">
                <span
                  aria-hidden
                  className="h-10 rounded-control border border-line"
                  style={{ backgroundColor: `var(--color-${name})` }}
                />
                <span className="text-small text-ink3">{name}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
      <ContrastTable key={theme} />
    </Specimen>
  );
}

function ContrastTable() {
  const probe = useRef<HTMLSpanElement>(null);
  const [ratios, setRatios] = useState<readonly number[]>([]);
  useEffect(() => {
    const element = probe.current;
    if (element === null) return;
    function resolve(name: string) {
      element?.style.setProperty('color', `var(--color-${name})`);
      return parseColour(element === null ? '' : getComputedStyle(element).color) ?? ([0, 0, 0] as const);
    }
    function measure(): void {
      setRatios(
        contrastPairs.map(({ foreground, background }) =>
          contrastRatio(resolve(foreground), resolve(background)),
        ),
      );
    }
    measure();
    // The page sets the theme of the address only after this effect.
    const observer = new MutationObserver(measure);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);
  return (
    <div>
      <span ref={probe} hidden />
      <ul aria-label="Contrast" className="grid gap-x-6 gap-y-1 sm:grid-cols-3 lg:grid-cols-4">
        {contrastPairs.map(({ foreground, background, minimum }, index) => (
          <li
            key={`${foreground} ${background}`}
            className="tabular flex justify-between gap-3 text-small text-ink2"
          >
            <span className="truncate">
              {foreground} on {background}
            </span>
            <span className={(ratios[index] ?? minimum) < minimum ? 'font-bold text-danger' : 'text-ink3'}>
              {ratios[index]?.toFixed(2)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
