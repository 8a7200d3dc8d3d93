import type { FlowWords } from '../en/flow-words.js';

export const flowWords: FlowWords = {
  about: '依次启动的运行。',
  exactName: '完整名称',
  empty: '没有符合条件的流程。',
  steps: '步骤',
  step: '步骤',
  after: '前置步骤',
  began: '开始时间',
  cancelled: '流程已取消。',
  drawing: (name) => `${name} 的步骤`,
  states: { running: '运行中', succeeded: '成功', failed: '失败', killed: '已取消', waiting: '等待中' },
};
