import type { LayerLabel } from '@vigil/contract/watch/first-layer.ts'
import { bead, beadsOf, type Mark, marksOf } from './layer-drawing.ts'
import styles from './Feedback.module.css'
import drawn from './LayerDrawing.module.css'

interface LayerDrawingProps {
  label: LayerLabel
  example: 0 | 1
  alt: string
}

/** How a first layer with this label looks to a nozzle camera, drawn: lines of plastic from above, and what is wrong. */
export function LayerDrawing({ label, example, alt }: LayerDrawingProps) {
  return (
    <svg viewBox="0 0 240 180" role="img" aria-label={alt} className={`${styles.drawing} ${drawn.ground}`}>
      {label === 'notANozzleCam' ? (
        <Webcam turned={example === 1} />
      ) : (
        <Beads label={label} example={example} />
      )}
    </svg>
  )
}

function Beads({ label, example }: Pick<LayerDrawingProps, 'label' | 'example'>) {
  return (
    <>
      {beadsOf(label, example).map(({ y, width, d, isBad }) => (
        <g key={y} data-bad={isBad || undefined} className={drawn.bead}>
          <path d={d} strokeWidth={width} className={drawn.body} />
          <path d={d} strokeWidth={width / 4} className={drawn.shine} />
        </g>
      ))}
      {marksOf(label, example).map((mark) => (
        <MarkShape key={`${mark.x} ${mark.y}`} mark={mark} />
      ))}
      <path d="M196 0h40v26l-14 20h-12l-14-20z" className={drawn.nozzle} />
    </>
  )
}

function MarkShape({ mark: { kind, x, y, r } }: { mark: Mark }) {
  if (kind === 'string') return <path d={bead(x, y, r)} className={drawn.string} />
  return (
    <>
      <circle cx={x} cy={y} r={r} className={kind === 'bubble' ? drawn.bubble : drawn.bump} />
      <circle cx={x - r / 3} cy={y - r / 3} r={r / 4} className={drawn.glint} />
    </>
  )
}

/** A printer from the front, as a camera beside it shows it. */
function Webcam({ turned }: { turned: boolean }) {
  return (
    <g transform={turned ? 'translate(240 0) scale(-1 1)' : undefined} className={drawn.machine}>
      <path d="M42 24v132M198 24v132M36 28h168M30 156h180" />
      <path d="M48 64h144" className={drawn.rail} />
      <path d="M96 52h34v26l-10 12h-14l-10-12z" className={drawn.nozzle} />
      <path d="M64 140h112" className={drawn.rail} />
      <path d={turned ? 'M98 138v-40h36v40z' : 'M86 138l12-34h32l14 34z'} className={drawn.object} />
    </g>
  )
}
