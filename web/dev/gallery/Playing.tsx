import { Player, type Still } from '../../src/player/index.ts'
import { scene } from '../scene.ts'
import styles from './Gallery.module.css'
import { Part } from './Part.tsx'

const COUNT = 240
const BEGAN = Date.parse('2026-11-18T02:14:00Z')

const pictureOf = (layers: number, spaghetti: boolean, boxes: boolean) =>
  `data:image/svg+xml,${encodeURIComponent(scene({ color: '#c4703a', layers, spaghetti, boxes }))}`

const frames: Still[] = Array.from({ length: COUNT }, (_, at) => {
  const layers = 2 + Math.floor((at / COUNT) * 12)
  return { url: pictureOf(layers, at > 170, false), taggedUrl: pictureOf(layers, at > 170, at > 170) }
})

const predictions = Array.from({ length: COUNT }, (_, at) => {
  const p = 0.06 + 0.05 * Math.abs(Math.sin(at * 1.7)) + (at > 150 ? (at - 150) / 130 : 0)
  const updated_at = new Date(BEGAN + at * 20_000).toISOString()
  return at > 70 && at < 78 ? {} : { fields: { normalized_p: p, updated_at } }
})

/** The player: over pictures with their scores, and with nothing but them. */
export function Playing() {
  return (
    <>
      <Part name="Player">
        <div className={styles.wide}>
          <Player
            name="vase_spiral.gcode"
            title="Time-lapse"
            videoUrl={null}
            frames={frames}
            predictions={predictions}
            marks={[{ position: 0.9, label: 'Alert' }]}
          />
        </div>
        <div className={styles.wide}>
          <Player name="benchy.gcode" videoUrl={null} frames={frames.slice(0, 40)} />
        </div>
      </Part>
    </>
  )
}
