import { useTranslation } from 'react-i18next'
import { withUnit } from '../lib/format.ts'

/** Frame rate and bit rate in words. */
export function useRate(): (figures: { fps: number; kbps: number }) => string {
  const { t } = useTranslation('video')
  return ({ fps, kbps }) => {
    const rate =
      kbps >= 1000
        ? withUnit((kbps / 1000).toFixed(1), 'Mbit/s')
        : withUnit(String(Math.round(kbps)), 'kbit/s')
    return t('figures', { fps: fps < 9.5 ? fps.toFixed(1) : Math.round(fps), rate })
  }
}
