import { Equal, FileDiff, FileMinus, FilePlus } from 'lucide-react';
import type { BadgeTone } from '../../../ui/badge/Badge.tsx';
import type { FileChange } from './compared-bytes.ts';

interface ChangeLook {
  readonly tone: BadgeTone;
  readonly Icon: typeof Equal;
  /** The class of its part of a bar: pale with an edge. */
  readonly fill: string;
}

/** How each kind of change looks, as a badge and as a part of a bar. */
export const changeLooks: Readonly<Record<FileChange, ChangeLook>> = {
  Same: { tone: 'mute', Icon: Equal, fill: 'bg-mute-wash border border-line-strong/60' },
  Changed: { tone: 'warn', Icon: FileDiff, fill: 'bg-warn-wash border border-warn-fill' },
  Added: { tone: 'ok', Icon: FilePlus, fill: 'bg-ok-soft border border-ok-fill' },
  Removed: { tone: 'danger', Icon: FileMinus, fill: 'bg-danger-wash border border-danger-fill' },
};

/** The kinds of change in the order of the picture. */
export const fileChanges: readonly FileChange[] = ['Same', 'Changed', 'Added', 'Removed'];
