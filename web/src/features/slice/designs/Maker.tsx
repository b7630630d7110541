import { serverUrl } from '../../../lib/base.ts'
import styles from './Designs.module.css'

interface MakerProps {
  first_name: string
  thumbnail: string | null
  /** In pixels. */
  size: number
}

/** Who made something: their picture, else how their name begins. */
export const Maker = ({ first_name: name, thumbnail, size }: MakerProps) =>
  thumbnail === null ? (
    <span className={styles.initial} style={{ width: size, height: size }} aria-hidden>
      {String.fromCodePoint(name.codePointAt(0) ?? 0x2e).toUpperCase()}
    </span>
  ) : (
    <img src={serverUrl(thumbnail)} alt="" width={size} height={size} loading="lazy" />
  )
