/**
 * Milliseconds a frame of the network in onnxruntime-node by threads: `node speed.mts MODEL.onnx SIDE`. Prints JSON: least
 * and median time by the clock, and the median of the processor time, which other work on the machine lengthens less.
 */
import * as ort from 'onnxruntime-node'

const FRAMES = 60
const SIDE = Number(process.argv[3])
const input = new Float32Array(3 * SIDE * SIDE).map((_, i) => ((i * 7919) % 256) / 255)
/** Milliseconds of processor time so far. */
const spent = () => Object.values(process.cpuUsage()).reduce((a, b) => a + b) / 1000
const report: Record<string, { min: number; median: number; cpu: number }> = {}
for (const threads of [1, 2]) {
  const session = await ort.InferenceSession.create(process.argv[2]!, { intraOpNumThreads: threads })
  const feeds = { [session.inputNames[0]!]: new ort.Tensor('float32', input, [1, 3, SIDE, SIDE]) }
  for (let n = 0; n < 5; n++) await session.run(feeds)
  const times: number[] = []
  const costs: number[] = []
  for (let n = 0; n < FRAMES; n++) {
    const [begin, before] = [performance.now(), spent()]
    await session.run(feeds)
    times.push(performance.now() - begin)
    costs.push(spent() - before)
  }
  times.sort((a, b) => a - b)
  costs.sort((a, b) => a - b)
  const middle = FRAMES >> 1
  const round = (ms: number) => Math.round(ms * 10) / 10
  report[threads] = { min: round(times[0]!), median: round(times[middle]!), cpu: round(costs[middle]!) }
  await session.release()
}
console.log(JSON.stringify(report))
