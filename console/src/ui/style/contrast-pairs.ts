/** A foreground token on a background token, and the minimum contrast ratio. */
type Pair = { foreground: string; background: string; minimum: number };

const backgrounds = ['canvas', 'surface', 'sunken', 'raised'];
const foregrounds = ['ink', 'ink2', 'ink3', 'denim', 'rivet', 'ok', 'warn', 'danger', 'mute'];
const washes = ['rivet', 'ok', 'warn', 'danger', 'mute', 'denim'];
const fills = ['ok-fill', 'warn-fill', 'danger-fill', 'edge', 'v1', 'v2'];
const panelForegrounds = ['panel-ink', 'panel-ink2', 'panel-rivet', 'panel-ok'];

/** Every pair that the console uses: 4.5 for text, 3 for the edges of inputs, for dots and for the fills of charts. */
export const contrastPairs: readonly Pair[] = [
  ...foregrounds.flatMap((foreground) =>
    backgrounds.map((background) => ({ foreground, background, minimum: 4.5 })),
  ),
  ...backgrounds.map((background) => ({ foreground: 'line-strong', background, minimum: 3 })),
  ...washes.map((name) => ({ foreground: name, background: `${name}-wash`, minimum: 4.5 })),
  { foreground: 'ink', background: 'denim-wash', minimum: 4.5 },
  { foreground: 'ink', background: 'rivet-wash', minimum: 4.5 },
  { foreground: 'ink', background: 'danger-wash', minimum: 4.5 },
  { foreground: 'ink', background: 'warn-wash', minimum: 4.5 },
  { foreground: 'on-denim', background: 'denim', minimum: 4.5 },
  { foreground: 'on-denim', background: 'denim-hover', minimum: 4.5 },
  { foreground: 'on-danger', background: 'danger', minimum: 4.5 },
  { foreground: 'on-danger', background: 'danger-hover', minimum: 4.5 },
  { foreground: 'denim-hover', background: 'canvas', minimum: 4.5 },
  { foreground: 'canvas', background: 'ink', minimum: 4.5 },
  ...panelForegrounds.map((foreground) => ({ foreground, background: 'panel', minimum: 4.5 })),
  ...fills.map((foreground) => ({ foreground, background: 'surface', minimum: 3 })),
  { foreground: 'panel-off', background: 'panel', minimum: 3 },
];
