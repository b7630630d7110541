import { useTranslation } from '../../lib/translation.ts'
import type { Camera } from './camera.ts'

/** What a camera is called: its own name, else what it is. */
export function useCameraName(): (camera: Camera, at: number) => string {
  const { t } = useTranslation('camera')
  return ({ name, primary, nozzle }, at) =>
    name || (nozzle ? t('nozzle') : primary ? t('main') : t('number', { number: at + 1 }))
}
