import { classNames } from '../style/class-names.ts';

// Eight posts in a ring with a gap at the bottom, so the posts are 38 degrees apart and not 45.
const posts = [-133, -95, -57, -19, 19, 57, 95, 133];

/** The logo: posts in a ring. With `isSpinning` it is the loading indicator: the posts light up in turn. */
export function Logo({
  size = 24,
  isSpinning = false,
  className,
}: {
  size?: number;
  isSpinning?: boolean;
  className?: string | undefined;
}) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      data-spinning={isSpinning || undefined}
      className={classNames('shrink-0 fill-current', className)}
    >
      {posts.map((angle, index) => (
        <rect
          key={angle}
          x="10.85"
          y="1.4"
          width="2.3"
          height="5.6"
          rx="1.15"
          transform={`rotate(${angle} 12 12)`}
          className={isSpinning ? 'animate-posts' : undefined}
          style={isSpinning ? { animationDelay: `${index * 120 - 960}ms` } : undefined}
        />
      ))}
      {!isSpinning && <circle cx="12" cy="12" r="2.7" className="fill-rivet" />}
    </svg>
  );
}
