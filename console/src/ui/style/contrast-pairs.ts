/** Two colour tokens that meet, and the least contrast that they must have. */
type Pair = { ink: string; ground: string; least: number };

const grounds = ['canvas', 'surface', 'sunken', 'raised'];
const inks = ['ink', 'ink2', 'ink3', 'denim', 'rivet', 'ok', 'warn', 'danger', 'mute'];
const washes = ['rivet', 'ok', 'warn', 'danger', 'mute', 'denim'];
const panelInks = ['panel-ink', 'panel-ink2', 'panel-rivet', 'panel-ok'];

/** Every pair that the console draws: 4.5 for text, 3 for the edges of inputs and for dots. */
export const contrastPairs: readonly Pair[] = [
  ...inks.flatMap((ink) => grounds.map((ground) => ({ ink, ground, least: 4.5 }))),
  ...grounds.map((ground) => ({ ink: 'line-strong', ground, least: 3 })),
  ...washes.map((name) => ({ ink: name, ground: `${name}-wash`, least: 4.5 })),
  { ink: 'ink', ground: 'denim-wash', least: 4.5 },
  { ink: 'ink', ground: 'rivet-wash', least: 4.5 },
  { ink: 'ink', ground: 'danger-wash', least: 4.5 },
  { ink: 'ink', ground: 'warn-wash', least: 4.5 },
  { ink: 'on-denim', ground: 'denim', least: 4.5 },
  { ink: 'on-denim', ground: 'denim-hover', least: 4.5 },
  { ink: 'on-danger', ground: 'danger', least: 4.5 },
  { ink: 'on-danger', ground: 'danger-hover', least: 4.5 },
  { ink: 'denim-hover', ground: 'canvas', least: 4.5 },
  { ink: 'canvas', ground: 'ink', least: 4.5 },
  ...panelInks.map((ink) => ({ ink, ground: 'panel', least: 4.5 })),
  { ink: 'panel-off', ground: 'panel', least: 3 },
];
