/** A dot of the preview: the index of its stage, or -1 for a device that is left out. */
export type PreviewDot = number;

const maxDots = 900;

/** The devices of a preview as dots, mixed as chance mixes the stages, always in the same way; and how many devices a dot stands for. */
export function previewDots(
  stages: readonly number[],
  leftOut: number,
): { dots: PreviewDot[]; perDot: number } {
  const total = stages.reduce((sum, count) => sum + count, 0) + leftOut;
  const perDot = Math.max(1, Math.ceil(total / maxDots));
  const dots = [
    ...stages.flatMap((count, stage) => Array<PreviewDot>(Math.ceil(count / perDot)).fill(stage)),
    ...Array<PreviewDot>(Math.ceil(leftOut / perDot)).fill(-1),
  ];
  return { dots: mixed(dots), perDot };
}

function mixed(dots: PreviewDot[]): PreviewDot[] {
  let seed = 7;
  for (let at = dots.length - 1; at > 0; at--) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = seed % (at + 1);
    [dots[at], dots[other]] = [dots[other] ?? -1, dots[at] ?? -1];
  }
  return dots;
}
