import { type OperationMark, operationMarks } from '../../../ui/picture/operation-shapes.ts';
import type { FoundOperation } from '../fleet-operations.ts';

/** How a stage stands. */
export type StageState = FoundOperation['stageStates'][number];

/** How dots are laid out: their distance in pixels, and how many are below each other. */
export interface DotLayout {
  readonly pitch: number;
  readonly rows: number;
  /** How many devices a dot stands for. */
  readonly perDot: number;
}

/** Large dots for few devices, small ones for many; each about 90 px high. */
const sizes = [
  { pitch: 13, rows: 7 },
  { pitch: 10, rows: 9 },
  { pitch: 7.5, rows: 12 },
] as const;
const smallest = sizes[2];
const scales = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] as const;

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

/** The width of the dots of a stage. */
function widthOfDots(devices: number, { pitch, rows, perDot }: DotLayout): number {
  return Math.max(1, Math.ceil(Math.ceil(devices / perDot) / rows)) * pitch;
}

/** A single stage fills the width, in as few rows as it takes. */
function flattened(layout: DotLayout, devices: readonly number[], width: number): DotLayout {
  const [count = 0, ...others] = devices;
  const perRow = Math.max(1, Math.floor(width / layout.pitch));
  const rows = Math.max(1, Math.ceil(count / layout.perDot / perRow));
  return others.length > 0 || rows > layout.rows ? layout : { ...layout, rows };
}

/** The room that stages take beside each other, in pixels. */
export interface StageRoom {
  readonly minWidth: number;
  /** Around the dots of a stage, within its width. */
  readonly padding: number;
  /** Between two stages. */
  readonly gap: number;
}

/** Whether so many stages fit the width beside each other. */
export function fitsBeside(stages: number, width: number, { minWidth, gap }: StageRoom): boolean {
  return stages * minWidth + Math.max(0, stages - 1) * gap <= width;
}

/** The width of a stage with its dots. */
export function widthOfStage(devices: number, layout: DotLayout, { minWidth, padding }: StageRoom): number {
  return Math.max(minWidth, widthOfDots(devices, layout) + padding);
}

/** The layout with the largest dots in which all stages fit the width beside each other. */
export function layoutDots(devices: readonly number[], width: number, room: StageRoom): DotLayout {
  const gaps = Math.max(0, devices.length - 1) * room.gap;
  const fits = (layout: DotLayout) =>
    devices.reduce((sum, count) => sum + widthOfStage(count, layout, room), gaps) <= width;
  const layouts = [
    ...sizes.map((size) => ({ ...size, perDot: 1 })),
    ...scales.map((perDot) => ({ ...smallest, perDot })),
  ];
  return flattened(layouts.find(fits) ?? { ...smallest, perDot: 10_000 }, devices, width - room.padding);
}
