import type { Token, Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { BreakableName } from '../../ui/text/BreakableName.tsx';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { documentationCopy } from './copy.ts';
import { DocumentLink, Picture } from './DocumentLink.tsx';
import { headingId } from './heading-id.ts';
import { MarkdownTable } from './MarkdownTable.tsx';

const headingClasses = ['text-title', 'text-section mt-5', 'text-body font-bold mt-3'];

/** Renders the Markdown of a document as elements of the console. `slug` is that of the document, for its links. */
export function Markdown({ tokens, slug }: { tokens: readonly Token[]; slug: string }): ReactNode {
  return tokens.map((token, index) => <Block key={index} token={token} slug={slug} />);
}

function Block({ token, slug }: { token: Token; slug: string }): ReactNode {
  const inline = (tokens: readonly Token[] | undefined) => <Inline tokens={tokens ?? []} slug={slug} />;
  switch (token.type) {
    case 'heading': {
      const { depth, text, tokens } = token as Tokens.Heading;
      const Heading = `h${Math.min(depth, 6)}` as 'h1';
      return (
        <Heading
          id={headingId(text)}
          {...(depth === 1 && { tabIndex: -1 })}
          className={`scroll-mt-20 wrap-anywhere text-ink ${headingClasses[depth - 1] ?? 'font-bold'}`}
        >
          {inline(tokens)}
        </Heading>
      );
    }
    case 'paragraph':
      return <p className="max-w-[72ch]">{inline(token.tokens)}</p>;
    case 'text':
      return inline(token.tokens ?? [token]);
    case 'code':
      return <CodeBlock code={(token as Tokens.Code).text} what={documentationCopy.code} />;
    case 'list':
      return <List list={token as Tokens.List} slug={slug} />;
    case 'table':
      return <MarkdownTable table={token as Tokens.Table} inline={inline} />;
    case 'blockquote':
      return (
        <blockquote className="flex flex-col gap-3 border-s-2 border-line ps-4">
          <Markdown tokens={token.tokens ?? []} slug={slug} />
        </blockquote>
      );
    default:
      // Blank lines, and comments in HTML.
      return null;
  }
}

function List({ list, slug }: { list: Tokens.List; slug: string }) {
  const Element = list.ordered ? 'ol' : 'ul';
  return (
    <Element
      {...(list.ordered && { start: Number(list.start) })}
      className={`flex max-w-[72ch] flex-col gap-1.5 ps-5 ${list.ordered ? 'list-decimal' : 'list-disc'}`}
    >
      {list.items.map((item, index) => (
        <li key={index} className="ps-1">
          <div className="flex min-w-0 flex-col gap-2">
            {item.tokens.map((token, at) => (
              <div key={at} className="min-w-0">
                <Block token={token} slug={slug} />
              </div>
            ))}
          </div>
        </li>
      ))}
    </Element>
  );
}

function Inline({ tokens, slug }: { tokens: readonly Token[]; slug: string }): ReactNode {
  return tokens.map((token, index) => (
    <Fragment key={index}>
      <InlineToken token={token} slug={slug} />
    </Fragment>
  ));
}

function InlineToken({ token, slug }: { token: Token; slug: string }): ReactNode {
  const content =
    'tokens' in token && token.tokens ? <Inline tokens={token.tokens} slug={slug} /> : undefined;
  switch (token.type) {
    case 'strong':
      return <strong className="text-ink">{content}</strong>;
    case 'em':
      return <em>{content}</em>;
    case 'codespan':
      return (
        <code
          dir="ltr"
          className="rounded-control bg-sunken px-1 wrap-break-word font-mono text-mono text-ink"
        >
          <BreakableName name={(token as Tokens.Codespan).text} />
        </code>
      );
    case 'link':
      return (
        <DocumentLink slug={slug} target={(token as Tokens.Link).href}>
          {content}
        </DocumentLink>
      );
    case 'image':
      return (
        <Picture slug={slug} source={(token as Tokens.Image).href} about={(token as Tokens.Image).text} />
      );
    case 'br':
      return <br />;
    default:
      return content ?? ('text' in token ? String(token.text) : '');
  }
}
