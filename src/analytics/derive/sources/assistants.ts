/** Assistants that answer in text. */
export const ASSISTANTS = `
ChatGPT chatgpt chatgpt.com chat.openai.com labs.openai.com openai openai.com com.openai.chatgpt
ChatGPT+ chatplus.com chat-gpt.org
Claude claude claude.ai com.anthropic.claude
Gemini gemini gemini.google.com bard bard.google.com com.google.android.apps.bard
NotebookLM notebooklm notebooklm.google.com notebooklm.google
Google_AI_Studio aistudio.google.com
Perplexity perplexity perplexity.ai ai.perplexity.app.android
Copilot copilot copilot.microsoft.com copilot.cloud.microsoft m365.cloud.microsoft com.microsoft.copilot
GitHub_Copilot copilot.github.com
Mistral mistral lechat chat.mistral.ai
DeepSeek deepseek chat.deepseek.com com.deepseek.chat
Grok grok grok.com ai.x.grok
Meta_AI metaai meta.ai
Duck.ai duck.ai
Poe poe poe.com
Character.AI characterai character.ai beta.character.ai
Kimi kimi kimi.com kimi.ai kimi.moonshot.cn
Qwen qwen chat.qwen.ai chat.qwenlm.ai tongyi.aliyun.com qianwen.aliyun.com tongyi.com
Doubao doubao doubao.com
ERNIE ernie yiyan.baidu.com ai.baidu.com chat.baidu.com
Yuanbao yuanbao yuanbao.tencent.com
ChatGLM chatglm chatglm.cn
Z.ai chat.z.ai
MiniMax chat.minimax.io agent.minimax.io
You.com you.com
Phind phind phind.com
iAsk iask iask.ai
Andi andisearch.com
Komo komo.ai
Felo felo.ai
Genspark genspark genspark.ai
Manus manus manus.im
Jasper jasper app.jasper.ai
Writesonic writesonic app.writesonic.com chatsonic
Pi pi.ai
HuggingChat huggingchat
Lumo lumo.proton.me
Liner liner.com getliner.com
Monica monica.im
Merlin getmerlin.in
OpenRouter openrouter.ai
`;
