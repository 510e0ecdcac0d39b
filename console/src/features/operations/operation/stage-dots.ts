import { type OperationMark, operationMarks } from '../../../ui/picture/operation-shapes.ts';
import type { FoundOperation } from '../fleet-operations.ts';

/** How a stage stands. */
export type StageState = FoundOperation['stageStates'][number];

/** The rows of dots of a stage. */
export const dotRows = 12;
/** The distance between dots, in pixels. */
export const dotPitch = 7.5;
const scales = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] as const;

/** How many devices of a stage stand how; the devices of one that is not open yet are queued. */
export function marksOf({ progress, devices, openedAt }: StageState): Record<OperationMark, number> {
  const { running, succeeded, failed, timedOut, cancelled } = progress;
  const ended = running + succeeded + failed + timedOut + cancelled;
  const rest = Math.max(0, Math.max(devices, progress.total) - ended);
  return {
    failed: failed + timedOut,
    running,
    succeeded,
    waiting: openedAt === undefined ? 0 : rest,
    queued: openedAt === undefined ? rest : 0,
    cancelled,
  };
}

/** The dots of a stage, the worst first, of which each stands for `perDot` devices; a state that some device has, has a dot. */
export function dotsOf(counts: Record<OperationMark, number>, perDot: number): OperationMark[] {
  return operationMarks.flatMap((mark) => Array<OperationMark>(Math.ceil(counts[mark] / perDot)).fill(mark));
}

/** The columns of dots that a stage takes. */
export function columnsOf(devices: number, perDot: number): number {
  return Math.max(1, Math.ceil(devices / perDot / dotRows));
}

/** How many devices a dot stands for, so that all stages fit the width beside each other: the least that does. */
export function devicesPerDot(
  devices: readonly number[],
  width: number,
  { minWidth, padding }: { minWidth: number; padding: number },
): number {
  const fits = (perDot: number) =>
    devices.reduce(
      (sum, count) => sum + Math.max(minWidth, columnsOf(count, perDot) * dotPitch) + padding,
      0,
    ) <= width;
  return scales.find(fits) ?? 10_000;
}
