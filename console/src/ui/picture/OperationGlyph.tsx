import { operationFill, type OperationMark, operationShape } from './operation-shapes.ts';

/** How an operation stands, as a shape; the word is beside it. */
export function OperationGlyph({ mark, size = 12 }: { mark: OperationMark; size?: number | undefined }) {
  const middle = size / 2;
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox={`0 0 ${size} ${size}`}
      className="forced-color-adjust-auto shrink-0 rtl:-scale-x-100"
    >
      <path
        d={operationShape(mark, middle, middle, size * 0.4)}
        fillRule="evenodd"
        className={operationFill[mark]}
      />
    </svg>
  );
}
