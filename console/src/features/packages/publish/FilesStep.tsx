import { X } from 'lucide-react';
import { Button } from '../../../ui/action/Button.tsx';
import { formatSize } from '../../../ui/text/format-size.ts';
import { UploadButton } from '../files/uploads/UploadButton.tsx';
import { publishCopy } from './copy.ts';
import { type ChangeDraft, type DraftVersion, withFiles } from './draft-version.ts';
import { NumberedStep } from '../../../ui/layout/NumberedStep.tsx';

const words = publishCopy.files;

/** The files of a version that is being composed; further ones are chosen, or dropped anywhere on the page. */
export function FilesStep({ draft, change }: { draft: DraftVersion; change: ChangeDraft }) {
  const { files, leftOut } = draft;
  return (
    <NumberedStep number={1} title={words.title} text={words.text}>
      {files.length > 0 && (
        <ul
          aria-label={words.listTitle}
          className="mb-3 max-h-96 divide-y divide-line overflow-y-auto rounded-card border border-line"
        >
          {files.map((file) => (
            <li key={file.name} className="flex items-center gap-3 py-1.5 ps-3.5 pe-1.5">
              <bdi className="min-w-0 flex-1 text-body font-head wrap-anywhere whitespace-pre-wrap">
                {file.name}
              </bdi>
              <span className="tabular shrink-0 text-body text-ink2">{formatSize(file.size)}</span>
              <Button
                size="small"
                variant="quiet"
                icon={<X size={15} aria-hidden />}
                label={words.removeOf(file.name)}
                onClick={() => change({ files: files.filter((one) => one !== file), leftOut: 0 })}
              />
            </li>
          ))}
        </ul>
      )}
      {leftOut > 0 && (
        <p role="alert" className="mb-3 text-body text-danger">
          {words.leftOut(leftOut)}
        </p>
      )}
      <div
        className={`flex flex-wrap items-center justify-center gap-x-4 gap-y-2.5 rounded-card border border-dashed border-line-strong bg-sunken/40 px-4 text-center ${files.length > 0 ? 'py-3' : 'py-7'}`}
      >
        <span className="text-body text-ink2">{words.drop}</span>
        <UploadButton label={words.choose} onFiles={(added) => change(withFiles(files, added))} />
      </div>
    </NumberedStep>
  );
}
