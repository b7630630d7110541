import { useTranslation } from '../../src/lib/translation.ts'
import { PictureTag } from '../../src/ui/PictureTag.tsx'
import { Snapshot } from '../../src/ui/Snapshot.tsx'
import {
  PlayButton,
  type Shown,
  type Video,
  VideoNote,
  VideoTags,
  VideoTools,
} from '../../src/video/index.ts'
import { VideoPlayer } from '../../src/video/player.ts'
import { scene } from '../scene.ts'
import styles from './Gallery.module.css'
import { Part } from './Part.tsx'

const picture = `data:image/svg+xml,${encodeURIComponent(scene({ color: '#3f7fc4', layers: 12 }))}`
const upright = { flipH: false, flipV: false, rotation: 0, ratio: 16 / 9 } as const
const nothing = () => undefined

const PLAYING: Shown = {
  phase: 'playing',
  kind: 'h264',
  reason: null,
  fresh: 'live',
  age: 0,
  figures: { fps: 25, kbps: 1310 },
  slow: false,
  canTry: false,
  stream: null,
  size: null,
}

const BASE: Video = {
  shown: PLAYING,
  player: new VideoPlayer({ path: '', rungs: [], why: null }),
  on: true,
  toggle: nothing,
  cycle: null,
  asks: false,
  possible: true,
}

const ticking = { began: nothing, rests: nothing }
const shown = (more: Partial<Shown>): Video => ({ ...BASE, shown: { ...PLAYING, ...more } })
const fallen = (reason: Shown['reason']): Video => shown({ phase: 'stills', reason, canTry: true })

const STATES: Record<string, Video> = {
  loading: shown({ phase: 'loading', figures: null }),
  'playing, with figures': BASE,
  'MJPEG that waits in a queue': shown({ kind: 'mjpeg', fresh: 'late', figures: { fps: 5.4, kbps: 940 } }),
  buffering: shown({ fresh: 'still', age: 4 }),
  'slow link': shown({ slow: true, figures: { fps: 21, kbps: 900 } }),
  'simpler, with the reason': shown({ kind: 'mjpeg', reason: 'uplink', figures: { fps: 6, kbps: 400 } }),
  'play for a while': {
    ...shown({ phase: 'off' }),
    on: false,
    asks: true,
    cycle: { left: 30, rest: 0, ...ticking },
  },
  'playing for a while': { ...BASE, cycle: { left: 17, rest: 0, ...ticking } },
  resting: { ...shown({ phase: 'off' }), on: false, asks: true, cycle: { left: 0, rest: 23, ...ticking } },
  'UDP blocked': fallen('udp'),
  'uplink too slow': fallen('uplink'),
  'camera stopped': fallen('camera'),
  'nobody home': fallen('nobody'),
  'agent too old': { ...shown({ phase: 'stills', reason: 'agentOld' }), possible: false },
  offline: { ...shown({ phase: 'off' }), on: false, possible: false },
}

/** A camera's video in each state it can be in. */
export function Watching() {
  const { t } = useTranslation('common')
  return (
    <Part name="VideoTags, VideoTools, VideoNote, PlayButton">
      {Object.entries(STATES).map(([name, video]) => (
        <div key={name} className={styles.wide}>
          <Snapshot
            src={picture}
            alt={name}
            stale={video.shown.fresh === 'still' || !video.possible}
            orientation={upright}
            topLeft={
              <>
                <PictureTag>{name}</PictureTag>
                <VideoTags video={video} />
              </>
            }
            bottomLeft={<VideoTools video={video} onSave={nothing} onFloat={nothing} />}
            center={<PlayButton video={video} />}
            bottomRight={video.shown.phase !== 'playing' && <PictureTag>{t('justNow')}</PictureTag>}
          />
          <VideoNote video={video} />
        </div>
      ))}
    </Part>
  )
}
