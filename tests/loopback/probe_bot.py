"""A discord.py bot that uses most of what a game bot would; driven by test_probe.py."""

import io
import os
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d4944415478"
    "9c6360000002000100"
    "05fe02fea7359d810000000049454e44ae426082"
)
Press = discord.Interaction[Any]
bot = commands.Bot(command_prefix="!", intents=discord.Intents.default())


def picture() -> discord.File:
    return discord.File(io.BytesIO(PNG), "b.png")


class Bet(ui.Modal, title="Bet"):
    def __init__(self) -> None:
        super().__init__(custom_id="bet")
        self.amount = ui.TextInput["Bet"](custom_id="amt", max_length=3)
        self.kind = ui.Select["Bet"](
            custom_id="kind",
            options=[discord.SelectOption(label="a"), discord.SelectOption(label="b")],
        )
        self.add_item(ui.Label(text="Amount", component=self.amount))
        self.add_item(ui.Label(text="Kind", component=self.kind))

    async def on_submit(self, interaction: Press) -> None:
        text = f"bet {self.amount.value} {self.kind.values[0]}"
        await interaction.response.edit_message(content=text, view=None)


class JoinButton(ui.Button["Board"]):
    def __init__(self) -> None:
        super().__init__(label="Join", custom_id="join", emoji="🎲")

    async def callback(self, interaction: Press) -> None:
        await interaction.response.send_message("your hand", view=Panel(), ephemeral=True)
        board = interaction.message
        assert board is not None
        view = Board(f"board: {interaction.user.name}")
        await board.edit(view=view, attachments=[picture()])


class Board(ui.LayoutView):
    def __init__(self, text: str = "board") -> None:
        super().__init__(timeout=None)
        sit = ui.Button["Board"](label="Sit", custom_id="sit", disabled=True)
        self.add_item(
            ui.Container(
                ui.TextDisplay(text),
                ui.Separator(),
                ui.MediaGallery(discord.MediaGalleryItem("attachment://b.png")),
                ui.Section(ui.TextDisplay("seat"), accessory=sit),
                ui.ActionRow(JoinButton()),
            )
        )


class Panel(ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.button(label="bet", custom_id="p:bet")
    async def bet(self, interaction: Press, button: ui.Button["Panel"]) -> None:
        await interaction.response.send_modal(Bet())
        # discord.py knows a modal only after its answer; whoever waits for this word is not early.
        await interaction.followup.send("place your bet", ephemeral=True)

    @ui.button(label="slow", custom_id="p:slow")
    async def slow(self, interaction: Press, button: ui.Button["Panel"]) -> None:
        await interaction.response.defer()
        note = discord.File(io.BytesIO(b"x"), "x.txt")
        await interaction.edit_original_response(content="slow done", attachments=[note])
        whisper = await interaction.followup.send("psst", ephemeral=True, wait=True)
        await whisper.edit(content="psst 2")
        await interaction.followup.send(
            f"all: {interaction.user.mention} @everyone",
            allowed_mentions=discord.AllowedMentions(everyone=False, users=True),
        )
        await whisper.delete()

    @ui.select(cls=ui.UserSelect, custom_id="p:who", row=1)
    async def who(self, interaction: Press, select: ui.UserSelect["Panel"]) -> None:
        await interaction.response.edit_message(content=f"picked {select.values[0].name}")


@bot.tree.command(name="table")
@app_commands.describe(seats="seats", who="host")
async def table(
    interaction: Press,
    seats: app_commands.Range[int, 2, 8],
    who: discord.Member | None = None,
) -> None:
    """Open a table."""
    await interaction.response.defer(thinking=True)
    await interaction.edit_original_response(view=Board(), attachments=[picture()])


@table.autocomplete("seats")
async def table_seats(interaction: Press, current: str) -> list[app_commands.Choice[int]]:
    return [app_commands.Choice(name=str(i), value=i) for i in range(2, 5)]


@bot.tree.context_menu(name="poke")
async def poke(interaction: Press, member: discord.Member) -> None:
    where = f"{interaction.locale}/{interaction.guild_locale}"
    text = f"poked {member.display_name} [{where}]"
    await interaction.response.send_message(text, ephemeral=True)


@bot.tree.command(name="tour")
async def tour(interaction: Press) -> None:
    """Touch many routes."""
    await interaction.response.defer(ephemeral=True)
    channel = interaction.channel
    assert isinstance(channel, discord.TextChannel)
    message = await post(channel)
    seen = [
        len([pin async for pin in channel.pins()]),
        len([old async for old in channel.history(limit=10)]),
        (await channel.fetch_message(message.id)).content,
        await visit_people(interaction, channel),
        await send_dm(interaction.user),
        await post_emoji(channel),
        len(await message.attachments[0].read()),
        await delete_and_edit(message),
    ]
    async with channel.typing():
        pass
    await interaction.edit_original_response(content=" ".join(map(str, seen)))


async def post(channel: discord.TextChannel) -> discord.Message:
    embed = discord.Embed(title="t", description="d").set_image(url="attachment://b.png")
    message = await channel.send("one", embed=embed, file=picture())
    await message.edit(content="two")
    await message.reply("reply")
    await message.add_reaction("🎲")
    await message.pin()
    return message


async def visit_people(interaction: Press, channel: discord.TextChannel) -> str:
    kind = discord.ChannelType.public_thread
    thread = await channel.create_thread(name="side", type=kind)
    await thread.send("in thread")
    await thread.edit(archived=True)
    assert interaction.guild is not None
    member = await interaction.guild.fetch_member(interaction.user.id)
    return member.name


async def send_dm(user: discord.User | discord.Member) -> str:
    try:
        await user.send("dm")
    except discord.Forbidden as e:
        return f"dm {e.code}"
    return "dm ok"


async def post_emoji(channel: discord.TextChannel) -> int:
    emoji = await bot.create_application_emoji(name="card_as", image=PNG)
    count = len(await bot.fetch_application_emojis())
    view = ui.View(timeout=None)
    view.add_item(ui.Button(emoji=emoji, custom_id="e", label="x"))
    await channel.send("emoji", view=view)
    return count


async def delete_and_edit(message: discord.Message) -> int:
    await message.delete()
    try:
        await message.edit(content="x")
    except discord.NotFound as e:
        return e.code
    return 0


@bot.event
async def setup_hook() -> None:
    # Known before they are sent: a press may be here before Discord's answer to the sending is.
    bot.add_view(Board())
    bot.add_view(Panel())
    await bot.tree.sync()


if __name__ == "__main__":
    bot.run(os.environ["DISCORD_TOKEN"], log_level=30)
