import * as ort from 'onnxruntime-node'
import { DetectorUnavailable } from './port.ts'

/** A model made ready on one thread: many printers share a few workers. Throws {@link DetectorUnavailable}. */
export async function openSession(bytes: Uint8Array): Promise<ort.InferenceSession> {
  try {
    return await ort.InferenceSession.create(bytes, {
      executionProviders: ['cpu'],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      // One block planned for all maps of a picture would be kept at rest: 20 MB, for no time won.
      enableMemPattern: false,
      logSeverityLevel: 3,
    })
  } catch (error) {
    throw new DetectorUnavailable('the model is not a readable ONNX graph', { cause: error })
  }
}
