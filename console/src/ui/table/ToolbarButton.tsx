import type { ComponentProps } from 'react';
import { Button } from '../action/Button.tsx';

/** A button above a table, only its icon on windows of 1280 to 1400 px, where the toolbar fits on one line then. */
export function ToolbarButton({
  label,
  ...button
}: Omit<ComponentProps<typeof Button>, 'label' | 'children' | 'className'> & { label: string }) {
  return (
    <Button {...button} title={label} className="pointer-coarse:min-w-11 xl:max-[87.5rem]:px-2!">
      <span className="xl:max-[87.5rem]:sr-only">{label}</span>
    </Button>
  );
}
