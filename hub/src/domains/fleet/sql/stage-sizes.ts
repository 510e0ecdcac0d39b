/** A stage with the number of devices that are in it and in no earlier one. */
export interface SizedStage<Stage> {
  readonly stage: Stage;
  readonly devices: number;
}

interface Percentage {
  readonly percentage?: number | undefined;
}

/** How many of so many devices the stages up to one with this percentage have: rounded up, and at least one. */
function coveredBy({ percentage = 100 }: Percentage, devices: number): number {
  return Math.min(devices, Math.max(1, Math.ceil((devices * percentage) / 100)));
}

/** The stages over so many devices. Each covers the first so many percent, in an order that stays: the devices of earlier stages are not in later ones. */
export function sizedStages<Stage extends Percentage>(
  stages: readonly Stage[],
  devices: number,
): SizedStage<Stage>[] {
  let before = 0;
  return stages.map((stage) => {
    const covered = Math.max(before, coveredBy(stage, devices));
    const sized = { stage, devices: covered - before };
    before = covered;
    return sized;
  });
}

/** The same without the stages that have no device; of a fleet without devices the last one. */
export function filledStages<Stage extends Percentage>(
  stages: readonly Stage[],
  devices: number,
): SizedStage<Stage>[] {
  const sized = sizedStages(stages, devices);
  const filled = sized.filter((one) => one.devices > 0);
  return filled.length > 0 ? filled : sized.slice(-1);
}
