import { uiCopy } from '../copy.ts';
import { CodeBlock } from '../text/CodeBlock.tsx';
import { IdTag } from '../text/IdTag.tsx';

/** The message of an error, to copy. */
export function ErrorMessage({ text }: { text: string }) {
  return <CodeBlock code={text} what={uiCopy.error.message} />;
}

/** The id of a request that failed, to copy. */
export function RequestId({ id }: { id: string }) {
  return <IdTag value={id} what={uiCopy.error.requestId} />;
}
