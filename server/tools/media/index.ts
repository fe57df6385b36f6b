import type { ToolGroup } from '../define'
import { imageAnalyze } from './image_analyze'
import { imageGenerate } from './image_generate'
import { videoGenerate } from './video_generate'

/** Images and videos, made and analyzed by the models of the registry. */
export const mediaGroup: ToolGroup = {
  id: 'media',
  label: 'Media',
  prefixes: ['image', 'video'],
  provider: 'the image, video and vision models of `MODELS_FILE`',
  agent: 'media',
  tools: [imageGenerate, imageAnalyze, videoGenerate],
}
