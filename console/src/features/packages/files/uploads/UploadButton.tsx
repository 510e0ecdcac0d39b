import { Upload } from 'lucide-react';
import { type ChangeEvent, useRef } from 'react';
import { Button } from '../../../../ui/action/Button.tsx';
import { uploadsCopy as words } from './copy.ts';

/** Lets the user choose files. */
export function UploadButton({
  label = words.upload,
  onFiles,
}: {
  label?: string | undefined;
  onFiles: (files: readonly File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  function choose({ currentTarget }: ChangeEvent<HTMLInputElement>): void {
    onFiles([...(currentTarget.files ?? [])]);
    // So that the same file can be chosen again.
    currentTarget.value = '';
  }
  return (
    <>
      <input ref={input} type="file" multiple hidden aria-label={label} onChange={choose} />
      <Button
        size="small"
        isWrite
        icon={<Upload size={15} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  );
}
