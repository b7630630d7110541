import shared from './shared.module.css'
import styles from './StatusMark.module.css'

export type Shape = 'dot' | 'ring' | 'bars' | 'triangle' | 'hollow' | 'cross'
export type Tone = 'good' | 'accent' | 'warn' | 'bad' | 'quiet'

const SHAPES: Record<Shape, React.ReactNode> = {
  dot: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  ring: <path d="M9.6 3.600A4.3 4.3 0 1 0 9.6 8.4" fill="none" stroke="currentColor" strokeWidth="2.4" />,
  bars: <path d="M2.2 1.500h2.800v9H2.200zM7 1.500h2.800v9H7z" fill="currentColor" />,
  triangle: <path d="M6 1l5.4 9.800H.600z" fill="currentColor" />,
  hollow: <circle cx="6" cy="6" r="3.7" fill="none" stroke="currentColor" strokeWidth="1.8" />,
  cross: (
    <path
      fillRule="evenodd"
      d="M2 0h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2V2a2 2 0 0 1 2-2zm1.8 2.700L2.7 3.8 4.9 6 2.7 8.200l1.1 1.100L6 7.100l2.2 2.2 1.1-1.100L7.1 6l2.2-2.2-1.1-1.100L6 4.900z"
      fill="currentColor"
    />
  ),
}

/** A state as a shape: it must be told apart without colour. Always stands beside its word. */
export function StatusMark({ shape, tone, size = 12 }: { shape: Shape; tone: Tone; size?: number }) {
  return (
    <svg viewBox="0 0 12 12" width={size} height={size} className={styles.mark} data-tone={tone} aria-hidden>
      {SHAPES[shape]}
    </svg>
  )
}

interface StatusPillProps {
  shape: Shape
  tone: Tone
  children: React.ReactNode
  /** On a picture the pill brings its own dark ground. */
  onPicture?: boolean
}

/** Colour, shape and word of a state. */
export function StatusPill({ shape, tone, children, onPicture }: StatusPillProps) {
  return (
    <span className={styles.pill} data-tone={tone} data-on-picture={onPicture || undefined} data-live>
      <StatusMark shape={shape} tone={tone} size={11} />
      <span className={shared.cut}>{children}</span>
    </span>
  )
}
