import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { rotationCopy } from './copy.ts';
import type { Rotation } from './rotations.ts';

const words = rotationCopy.next;

/** What comes next of a rotation, or what went wrong. */
export function RotationNext({ rotation }: { rotation: Rotation }) {
  const { state, until, oldEndsAt, problem } = rotation;
  if (problem !== undefined) return <span className="wrap-anywhere text-danger">{problem}</span>;
  switch (state) {
    case 'Open':
      return (
        <span>
          {words.open} <RelativeTime at={until} />
        </span>
      );
    case 'Announced':
      return <span>{words.announced}</span>;
    case 'Arrived':
      return (
        <span>
          {words.arrived} {oldEndsAt !== undefined && <RelativeTime at={oldEndsAt} />}
        </span>
      );
    case 'RolledBack':
      return <span>{words.rolledBack}</span>;
    case 'Expired':
      return <span>{words.expired}</span>;
    case 'Completed':
    case 'Cancelled':
      return null;
  }
}
