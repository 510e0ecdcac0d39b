/** A colour as red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number];

/** Reads `#rgb`, `#rrggbb` or `rgb(r g b)`; undefined for anything else. */
export function parseColour(text: string): Rgb | undefined {
  const hex = /^#([\da-f]{6}|[\da-f]{3})$/iu.exec(text.trim())?.[1];
  if (hex !== undefined) {
    const parts = hex.length === 3 ? [...hex].map((digit) => digit + digit) : (hex.match(/../gu) ?? []);
    return toRgb(parts.map((part) => Number.parseInt(part, 16)));
  }
  const numbers = /^rgba?\(([^)]*)\)$/u.exec(text.trim())?.[1]?.match(/[\d.]+/gu);
  return numbers === undefined || numbers === null ? undefined : toRgb(numbers.map(Number));
}

function toRgb([red, green, blue]: number[]): Rgb | undefined {
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue];
}

/** The contrast ratio of two colours by WCAG 2.2, from 1 to 21. */
export function contrastRatio(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
