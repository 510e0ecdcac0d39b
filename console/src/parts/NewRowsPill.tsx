import { ArrowUp } from 'lucide-react';

/** A pill below the header that says that new rows wait; a press shows them. Hidden without `text`. */
export function NewRowsPill({ text, onShow }: { text: string | undefined; onShow: () => void }) {
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-[calc(var(--header-height)+0.75rem)] z-10 flex justify-center print:hidden"
    >
      {text !== undefined && (
        <button
          type="button"
          onClick={() => {
            onShow();
            window.scrollTo({ top: 0 });
          }}
          className="pointer-events-auto inline-flex h-8.5 items-center gap-2 rounded-full bg-denim px-4 text-label text-on-denim shadow-float transition-colors hover:bg-denim-hover pointer-coarse:h-11"
        >
          <ArrowUp size={15} aria-hidden />
          {text}
        </button>
      )}
    </div>
  );
}
