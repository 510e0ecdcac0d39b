// What has a special meaning in a URL cannot be in the name of a domain.
const reserved = /[\0-\x20"#%/:<>?@[\\\]^`{|}\x7f]/;
const isPlain = /^[\0-\x7f]*$/;
const isEncoded = /(?:^|\.)xn--/;

/** A domain as DNS has it, with `xn--` for what is not ASCII (IDNA); undefined for what is no domain. */
export function asciiDomain(domain: string): string | undefined {
  if (isPlain.test(domain) && !isEncoded.test(domain)) return domain;
  if (reserved.test(domain) || !URL.canParse(`http://${domain}`)) return undefined;
  return new URL(`http://${domain}`).hostname;
}

/** A domain as people read it, with the letters that `xn--` stands for; as it is if it is none, or if it would not be encoded so. */
export function readableDomain(domain: string): string {
  const ascii = asciiDomain(domain);
  if (ascii === undefined || !isEncoded.test(ascii)) return ascii ?? domain;
  const labels = ascii.split('.').map((label) => (label.startsWith('xn--') ? decode(label.slice(4)) : label));
  const readable = labels.join('.');
  return asciiDomain(readable) === ascii ? readable : ascii;
}

const [base, tMin, tMax, skew, damp, firstBias, firstCodePoint] = [36, 1, 26, 38, 700, 72, 128] as const;

/** Decodes Punycode (RFC 3492), which neither the language nor browsers offer; what is malformed gives a text that is not encoded like it. */
function decode(encoded: string): string {
  const split = encoded.lastIndexOf('-');
  const points = Array.from(encoded.slice(0, Math.max(0, split)), (letter) => letter.codePointAt(0) ?? 0);
  let [codePoint, bias, index, at] = [firstCodePoint as number, firstBias as number, 0, split + 1];
  while (at < encoded.length) {
    const before = index;
    for (let weight = 1, k = base; at < encoded.length; k += base) {
      const digit = digitOf(encoded.charCodeAt(at));
      at += 1;
      index += digit * weight;
      const threshold = Math.min(tMax, Math.max(tMin, k - bias));
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const count = points.length + 1;
    bias = adapted(index - before, count, before === 0);
    codePoint += Math.floor(index / count);
    index %= count;
    if (!(codePoint <= 0x10_ffff)) return '';
    points.splice(index, 0, codePoint);
    index += 1;
  }
  return String.fromCodePoint(...points);
}

/** Digits are a to z, then 0 to 9. */
function digitOf(code: number): number {
  return code < 0x3a ? code - 0x30 + 26 : code - 0x61;
}

function adapted(distance: number, count: number, isFirst: boolean): number {
  let delta = Math.floor(distance / (isFirst ? damp : 2));
  delta += Math.floor(delta / count);
  let k = 0;
  for (; delta > ((base - tMin) * tMax) >> 1; k += base) delta = Math.floor(delta / (base - tMin));
  return k + Math.floor(((base - tMin + 1) * delta) / (delta + skew));
}
