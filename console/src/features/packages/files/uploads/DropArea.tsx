import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { uploadsCopy as words } from './copy.ts';

/** Takes files that are dropped on its content, and says so while they are above it. */
export function DropArea({
  onFiles,
  children,
}: {
  onFiles: (files: readonly File[]) => void;
  children: ReactNode;
}) {
  const [isOver, setIsOver] = useState(false);
  // Entering a child leaves its parent.
  const depth = useRef(0);
  function move(event: DragEvent, change: number): void {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    depth.current += change;
    setIsOver(depth.current > 0);
  }
  function drop(event: DragEvent): void {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    depth.current = 0;
    setIsOver(false);
    onFiles([...event.dataTransfer.files]);
  }
  return (
    <div
      className="relative"
      onDragEnter={(event) => move(event, 1)}
      onDragOver={(event) => move(event, 0)}
      onDragLeave={(event) => move(event, -1)}
      onDrop={drop}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-0 z-10 flex items-center justify-center rounded-card border-2 border-dashed border-denim bg-denim-wash/90 font-head text-denim">
          {words.drop}
        </div>
      )}
    </div>
  );
}
