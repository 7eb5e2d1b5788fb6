package discover

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// hanzi are Chinese words of games and the English ones that the lists know them by. Words are not divided in Chinese, so none has a single character.
var hanzi = map[string]string{
	"编号": "id", "序号": "id", "标识": "id", "唯一": "id", "主键": "id",
	"玩家": "player", "角色": "character", "人物": "character", "用户": "user", "账号": "account", "帐号": "account", "账户": "account", "英雄": "hero", "主角": "character",
	"拥有者": "owner", "所有者": "owner", "主人": "owner", "物主": "owner", "房主": "owner", "归属": "owner", "所属": "owner", "持有者": "holder", "持有人": "holder",
	"发件人": "sender", "发送者": "sender", "发送人": "sender", "寄件人": "sender", "发信人": "sender", "赠送者": "giver", "赠送人": "giver",
	"收件人": "receiver", "接收者": "receiver", "接收人": "receiver", "收信人": "receiver", "接受者": "receiver", "领取者": "receiver", "领取人": "receiver",
	"会长": "leader", "盟主": "leader", "帮主": "leader", "族长": "leader", "队长": "leader", "首领": "leader", "团长": "leader", "国王": "king", "皇帝": "emperor", "城主": "lord", "太守": "lord",
	"副会长": "deputy", "副盟主": "deputy", "副帮主": "deputy", "军师": "officer", "官员": "officer",
	"成员": "member", "队员": "member", "会员": "member", "盟友": "ally", "好友": "friend", "朋友": "friend", "仇人": "enemy", "敌人": "enemy", "敌方": "enemy", "对方": "opponent", "阵亡": "victim", "对手": "opponent", "宿敌": "rival",
	"击杀者": "killer", "杀手": "killer", "凶手": "killer", "杀人者": "killer", "被杀者": "victim", "死者": "victim", "受害者": "victim", "被杀": "victim",
	"进攻者": "attacker", "进攻方": "attacker", "攻击者": "attacker", "攻击方": "attacker", "攻方": "attacker", "防守者": "defender", "防守方": "defender", "守方": "defender", "防御方": "defender",
	"进攻": "attacker", "防守": "defender", "胜者": "winner", "胜利者": "winner", "胜方": "winner", "败者": "loser", "失败者": "loser", "败方": "loser",
	"创建者": "creator", "创建人": "creator", "创始人": "founder", "发起者": "initiator", "发起人": "initiator", "邀请者": "inviter", "邀请人": "inviter", "被邀请者": "invitee", "申请者": "applicant", "申请人": "applicant",
	"卖家": "seller", "出售者": "seller", "卖方": "seller", "买家": "buyer", "购买者": "buyer", "买方": "buyer", "竞拍者": "bidder", "出价者": "bidder", "竞价者": "bidder",
	"师父": "master", "师傅": "master", "徒弟": "apprentice", "配偶": "spouse", "伴侣": "spouse", "丈夫": "husband", "妻子": "wife", "目标": "target", "来源": "source",
	"操作者": "actor", "操作人": "actor", "作者": "author", "举报者": "reporter", "举报人": "reporter", "被举报者": "reported", "推荐人": "sponsor", "担任者": "holder",
	"等级": "level", "经验": "exp", "数量": "count", "次数": "times", "数目": "number", "金币": "gold", "银两": "money", "元宝": "cash", "钻石": "gem", "价格": "price", "费用": "cost",
	"时间": "time", "日期": "date", "状态": "status", "类型": "type", "种类": "kind", "类别": "category", "排名": "rank", "名次": "rank", "积分": "score", "分数": "score", "战力": "power",
	"攻击力": "attack", "防御力": "defense", "生命": "hp", "体力": "stamina", "位置": "position", "坐标": "position", "格子": "slot", "品质": "rank", "性别": "gender", "年龄": "age",
	"名字": "name", "名称": "name", "昵称": "name", "姓名": "name", "角色名": "name", "备注": "remark", "描述": "description", "内容": "content", "标题": "title",
}

// hanziMost is the length of the longest of them, in bytes.
const hanziMost = 12

// chinese divides a word of Chinese characters, the longest known words first: what is none stays a word of its own, such as what a table is called. Other
// words stay whole.
func chinese(word string) []string {
	if first, _ := utf8.DecodeRuneInString(word); !unicode.Is(unicode.Han, first) || hanzi[word] == "id" { // as a whole name it says nothing
		return []string{word}
	}
	var words []string
	rest := ""
	for word != "" {
		n := min(hanziMost, len(word))
		for ; n > 0; n-- {
			if known, ok := hanzi[word[:n]]; ok {
				if rest != "" {
					words = append(words, rest)
				}
				words, rest = append(words, known), ""
				break
			}
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(word)
			rest += word[:n]
		}
		word = word[n:]
	}
	if rest != "" {
		words = append(words, rest)
	}
	return words
}

// syllables tells whether letters are the first ones of a word's syllables: Chinese in Latin letters is shortened so, lianmeng to lm.
func syllables(letters, word string) bool {
	if letters == "" || word == "" {
		return letters == word
	}
	rest := strings.TrimPrefix(word[1:], "h")
	end := strings.TrimLeft(rest, vowels)
	if word[0] != letters[0] || strings.IndexByte(vowels, word[0]) >= 0 || end == rest {
		return false
	}
	for _, nasal := range []string{"", "n", "ng"} {
		if next, ok := strings.CutPrefix(end, nasal); ok && syllables(letters[1:], next) {
			return true
		}
	}
	return false
}

const vowels = "aeiouv" // v is how ü is typed
