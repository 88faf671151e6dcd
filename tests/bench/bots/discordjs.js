// A bare discord.js 14 bot. It is not a dependency of the project: see tests/bench/compared.py.
'use strict';
const {
  ActionRowBuilder, ButtonBuilder, ButtonStyle, Client, ContainerBuilder, GatewayIntentBits,
  MessageFlags, SeparatorBuilder, TextDisplayBuilder,
} = require('discord.js');

const SHAPE = JSON.parse(process.env.SHAPE || '[]');
const V2 = MessageFlags.IsComponentsV2;
const panels = new Map(); // by the ids of their messages

function button(one, number) {
  const made = new ButtonBuilder()
    .setCustomId(`hit:${number}`)
    .setStyle(ButtonStyle.Secondary)
    .setDisabled(one.disabled);
  if (one.label) made.setLabel(one.label);
  if (one.emoji) made.setEmoji('🎲');
  return made;
}

function panel() {
  const box = new ContainerBuilder();
  let number = 0;
  for (const block of SHAPE) {
    if ('text' in block) {
      box.addTextDisplayComponents(new TextDisplayBuilder().setContent(block.text));
    } else if ('buttons' in block) {
      const buttons = block.buttons.map((one) => button(one, number++));
      box.addActionRowComponents(new ActionRowBuilder().addComponents(buttons));
    } else {
      box.addSeparatorComponents(new SeparatorBuilder());
    }
  }
  const told = new TextDisplayBuilder().setContent('hits: 0');
  box.addTextDisplayComponents(told);
  return { box, told, hits: 0 };
}

const client = new Client({
  intents: [GatewayIntentBits.Guilds],
  rest: { api: `${process.env.FAKE_DISCORD}/api` },
});
client.once('clientReady', () =>
  client.application.commands.set([{ name: 'panel', description: "a panel of one's own" }]));
client.on('interactionCreate', async (interaction) => {
  if (!interaction.isButton()) {
    await interaction.reply({ components: [panel().box], flags: V2 | MessageFlags.Ephemeral });
    return;
  }
  let pressed = panels.get(interaction.message.id);
  if (pressed === undefined) panels.set(interaction.message.id, (pressed = panel()));
  pressed.hits += 1;
  pressed.told.setContent(`hits: ${pressed.hits}`);
  await interaction.update({ components: [pressed.box], flags: V2 });
});
client.on('error', console.error);
process.on('SIGTERM', () => client.destroy().finally(() => process.exit(0)));
client.login(process.env.DISCORD_TOKEN);
