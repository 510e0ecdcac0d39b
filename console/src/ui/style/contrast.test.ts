import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contrastPairs } from './contrast-pairs.ts';
import { contrastRatio, parseColour, type Rgb } from './contrast.ts';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

function token(name: string, theme: 'light' | 'dark'): Rgb {
  const value = new RegExp(`--color-${name}: ([^;]+);`, 'u').exec(css)?.[1] ?? '';
  const [light, dark] = /^light-dark\(([^,]+), ([^)]+)\)$/u.exec(value)?.slice(1) ?? [value, value];
  const colour = parseColour((theme === 'light' ? light : dark) ?? '');
  if (colour === undefined) throw new Error(`tokens.css has no colour ${name}.`);
  return colour;
}

function worst(foreground: string, theme: 'light' | 'dark'): string {
  const backgrounds = ['canvas', 'surface', 'sunken', 'raised'];
  return Math.min(
    ...backgrounds.map((background) => contrastRatio(token(foreground, theme), token(background, theme))),
  ).toFixed(2);
}

describe('colour tokens', () => {
  it.each(['light', 'dark'] as const)('keep 4.5 for text and 3.0 for edges in the %s theme', (theme) => {
    const tooWeak = contrastPairs
      .map((pair) => ({
        ...pair,
        ratio: contrastRatio(token(pair.foreground, theme), token(pair.background, theme)),
      }))
      .filter(({ ratio, minimum }) => ratio < minimum)
      .map(({ foreground, background, ratio }) => `${foreground} on ${background}: ${ratio.toFixed(2)}`);
    expect(tooWeak).toEqual([]);
  });

  it('have the worst ratios that the table of the design states', () => {
    const names = ['line-strong', 'ink', 'ink2', 'ink3', 'denim', 'rivet', 'ok', 'warn', 'danger', 'mute'];
    expect(
      Object.fromEntries(names.map((name) => [name, [worst(name, 'light'), worst(name, 'dark')]])),
    ).toEqual({
      'line-strong': ['3.29', '3.74'],
      ink: ['13.85', '13.24'],
      ink2: ['6.72', '7.94'],
      ink3: ['4.85', '5.34'],
      denim: ['6.93', '7.37'],
      rivet: ['5.05', '7.10'],
      ok: ['5.72', '8.06'],
      warn: ['5.83', '8.54'],
      danger: ['6.00', '7.25'],
      mute: ['6.72', '7.94'],
    });
  });

  it('leaves nothing of the default palette', () => {
    for (const family of ['color', 'shadow', 'radius', 'text', 'font', 'breakpoint']) {
      expect(css).toContain(`--${family}-*: initial;`);
    }
  });
});
