import styles from './Player.module.css'
import { frameAt } from './predictions.ts'
import { type Still, type Turn, turned } from './Stills.tsx'

/** So many pictures stand side by side at most. */
const MOST = 12

interface StripProps {
  frames: readonly Still[]
  turn: Turn | undefined
  position: number
  onSeek: (position: number) => void
}

/** A few of the pictures along the time axis; a click goes there. The keyboard has the axis for that. */
export function Strip({ frames, turn, position, onSeek }: StripProps) {
  const count = Math.min(MOST, frames.length)
  const now = Math.min(count - 1, Math.floor(position * count))
  return (
    <div className={styles.strip} aria-hidden>
      {Array.from({ length: count }, (_, at) => {
        const middle = (at + 0.5) / count
        const frame = frames[frameAt(frames.length, middle)]
        return (
          <button
            key={middle}
            type="button"
            tabIndex={-1}
            data-now={at === now || undefined}
            onClick={() => onSeek(middle)}
          >
            <img
              src={frame?.url}
              alt=""
              loading="lazy"
              draggable={false}
              style={{ transform: turned(turn).transform }}
            />
          </button>
        )
      })}
    </div>
  )
}
