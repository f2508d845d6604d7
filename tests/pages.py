"""Web pages of different kinds, made by code, with what a careful reader would take from each."""

# ruff: noqa: E501  (markup reads better unbroken)

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class WebPage:
    """`main` must be found, `around` must not; `headings` with levels; `cells` of tables."""

    html: str
    main: tuple[str, ...]
    around: tuple[str, ...]
    headings: tuple[tuple[int, str], ...] = ()
    cells: tuple[str, ...] = ()
    encoding: str = "utf-8"


RULES = (
    "第一条　为了规范社区公共浴室的管理，方便居民使用，根据本市有关规定，制定本办法。",
    "第二条　本办法适用于本市范围内由街道出资建设的公共浴室。私人经营的浴室不适用本办法。",
    "第三条　公共浴室每日开放时间不少于八小时，开放时间应当在门口公示。",
    "第四条　六十五岁以上居民凭身份证免费入场，每周不超过三次。",
)
STORY = (
    "本报讯，昨天清晨，城南菜市场迎来了改造后的第一批顾客。",
    "市场负责人介绍，改造历时七个月，摊位由一百二十个增加到一百六十个。",
    "家住附近的陈女士说，地面不再湿滑，买菜方便多了。",
)


def _p(texts: tuple[str, ...]) -> str:
    return "".join(f"<p>{text}</p>\n" for text in texts)


def portal() -> WebPage:
    """A policy on a portal: no main, no article, everything is a div."""
    links = "".join(f'<li><a href="/z/{n}.html">关于第{n}号事项的通知</a></li>' for n in range(1, 9))
    html = f"""<html><head><meta charset="utf-8"><title>浴室管理办法_临江市人民政府</title></head><body>
    <div class="top"><a href="/">临江市人民政府门户网站</a><a href="/m">移动版</a><a href="/e">English</a><a href="/w">无障碍</a></div>
    <div class="daohang"><a href="/1">首页</a> <a href="/2">政务公开</a> <a href="/3">办事服务</a> <a href="/4">互动</a></div>
    <div class="position">您当前的位置：<a href="/">首页</a> &gt; <a href="/zc">政策文件</a> &gt; 正文</div>
    <div class="con"><h1>浴室管理办法</h1>
    <table class="info"><tr><td>索引号</td><td>LJ-2031-17</td></tr><tr><td>发布机构</td><td>临江市商务局</td></tr></table>
    <div class="tools">【字体：大 中 小】 【打印本页】</div>
    <div class="TRS_Editor"><p style="text-align: center"><strong>第一章　总则</strong></p>{_p(RULES[:2])}
    <p align="center"><b>第二章　开放</b></p>{_p(RULES[2:])}
    <p>附件：<a href="/f/1.docx">公共浴室申请表.docx</a></p></div></div>
    <div class="list"><h3>最新文件</h3><ul>{links}</ul></div>
    <div class="bottom"><p>主办：临江市人民政府办公室</p><p>江ICP备00000号</p><p>网站标识码：0000</p></div></body></html>"""
    return WebPage(
        html,
        (*RULES, "公共浴室申请表.docx", "索引号", "LJ-2031-17", "临江市商务局"),
        ("移动版", "办事服务", "政策文件", "字体", "关于第3号事项的通知", "主办：", "ICP备", "网站标识码", "无障碍"),
        ((1, "浴室管理办法"), (2, "第一章\u3000总则"), (2, "第二章\u3000开放")),
        ("索引号", "LJ-2031-17", "发布机构", "临江市商务局"),
    )


def news() -> WebPage:
    html = f"""<!DOCTYPE html><html><head><meta charset=utf-8><title>菜市场改造完成 | 晨报</title></head><body class="single comments-open">
    <header class="site-header"><h2>晨报</h2><nav><ul><li><a href=#>要闻</a><li><a href=#>财经</a></ul></nav></header>
    <div id="cookie-consent-banner"><p>我们使用 Cookie 改善体验。继续浏览即表示同意。</p><button>同意</button></div>
    <article><header><h1>菜市场改造完成</h1><p>2031年5月4日 记者 林一</p></header>{_p(STORY)}
    <figure><img src="data:image/png;base64,{"A" * 9000}"><figcaption>图 1　改造后的市场</figcaption></figure>
    <div class="share-buttons">分享到朋友圈</div></article>
    <section class="related-posts"><h3>相关阅读</h3><p>去年此时，旧市场因为漏雨停业了两天。</p></section>
    <div id="comments"><h3>评论</h3><p>读者甲：希望停车位也能多一些。</p></div>
    <footer>版权归晨报所有，未经许可不得转载。</footer></body></html>"""
    return WebPage(
        html,
        (*STORY, "记者 林一", "图 1　改造后的市场"),
        ("财经", "Cookie", "分享到朋友圈", "漏雨停业", "停车位", "不得转载"),
        ((1, "菜市场改造完成"),),
    )


def old() -> WebPage:
    """Tables for columns, fonts for headings, GBK that calls itself gb2312."""
    text = "<br><br>　　".join(STORY)
    html = f"""<HTML><HEAD><META http-equiv=Content-Type content="text/html; charset=gb2312"><TITLE>老城旧事</TITLE></HEAD><BODY>
    <TABLE width=760><TR><TD colspan=2><FONT size=6><A href=/>老城网</A></FONT></TD></TR><TR><TD width=150>
    <A href=1.htm>首页</A><BR><A href=2.htm>旧闻</A><BR><A href=3.htm>人物</A><BR><A href=4.htm>留言</A></TD>
    <TD><CENTER><FONT size=5><B>老城旧事</B></FONT></CENTER><BR>　　{text}<BR><BR>
    <TABLE border=1><TR><TD>年份</TD><TD>摊位</TD></TR><TR><TD>2019</TD><TD>一百二十</TD></TR><TR><TD>2031</TD><TD>一百六十</TD></TR></TABLE>
    </TD></TR><TR><TD colspan=2>Copyright (C) 老城网</TD></TR></TABLE></BODY></HTML>"""
    return WebPage(
        html, STORY, ("旧闻", "留言", "Copyright"), (), ("年份", "摊位", "2019", "一百二十", "一百六十"), "gbk"
    )


def wiki() -> WebPage:
    body = (
        "风铃草属是一类多年生草本植物，花冠呈钟形。",
        "本属约有四百种，主要分布在温带山地。",
        "根可入药，嫩叶可食。",
    )
    html = f"""<html><head><meta charset=utf-8><title>风铃草属 - 自由百科</title></head><body>
    <div id="mw-navigation"><h2>导航菜单</h2><a href=#>随机页面</a></div><main id="content"><h1>风铃草属</h1>
    <div id="toc" role="navigation"><h2>目录</h2><ul><li><a href="#a">1 分布区域</a></ul></div>
    <table class="infobox"><tr><th colspan=2>风铃草属</th></tr><tr><th>界</th><td>植物界</td></tr><tr><th>科</th><td>桔梗科</td></tr></table>
    <p>{body[0]}<sup class="reference"><a href="#cite1">[1]</a></sup></p>
    <h2 id="a"><span>分布</span><span class="mw-editsection">[<a href=#>编辑</a>]</span></h2><p>{body[1]}</p>
    <div role="heading" aria-level="3">用途</div><p>{body[2]}</p>
    <ol class="references"><li id="cite1">山地植物志，第二卷。</li></ol></main>
    <footer>文本在知识共享条款下提供</footer></body></html>"""
    return WebPage(
        html,
        (*body, "山地植物志，第二卷。"),
        ("导航菜单", "随机页面", "分布区域", "编辑", "知识共享"),
        ((1, "风铃草属"), (2, "分布"), (3, "用途")),
        ("界", "植物界", "科", "桔梗科"),
    )


def manual() -> WebPage:
    html = """<html><head><meta charset=utf-8><title>安装 — 水泵手册</title></head><body><div class="layout">
    <div class="sidebar-left"><ul><li><a href=1>概述</a><li><a href=2>安装步骤总览</a><li><a href=3>故障</a></ul></div>
    <div class="doc"><h1>安装</h1><h2>准备</h2><p>安装前请切断电源，并确认水箱已经排空。</p>
    <ol start="4"><li>拧下外壳螺丝。</li><li>取出滤网。<ul><li>小心边缘。</li></ul></li></ol>
    <h2>参数</h2><table><thead><tr><th rowspan=2>型号</th><th colspan=2>流量</th></tr><tr><th>额定</th><th>最大</th></tr></thead>
    <tbody><tr><td>QW-3</td><td>12 L/min</td><td>18 L/min</td></tr><tr><td>QW-5</td><td colspan=2>按订单</td></tr></tbody></table>
    <h2>命令</h2><pre><code>pump --start\n    --speed 3</code></pre><blockquote><p>转速不要超过四档。</p></blockquote>
    <dl><dt>档位</dt><dd>电机的转速等级。</dd></dl></div><div class="pagination"><a href=p>上一节</a><a href=n>下一节</a></div></div>
    <div hidden>调试信息不可见</div><div style="display: none">隐藏的弹窗</div></body></html>"""
    return WebPage(
        html,
        ("安装前请切断电源，并确认水箱已经排空。", "拧下外壳螺丝。", "取出滤网。", "小心边缘。", "pump --start", "--speed 3",
         "转速不要超过四档。", "电机的转速等级。"),
        ("安装步骤总览", "故障", "下一节", "调试信息", "隐藏的弹窗"),
        ((1, "安装"), (2, "准备"), (2, "参数"), (2, "命令")),
        ("型号", "流量 额定", "流量 最大", "QW-3", "12 L/min", "18 L/min", "QW-5", "按订单"),
    )  # fmt: skip


def app() -> WebPage:
    """Names made by a machine, no element that says what it is."""
    nav = "".join(f'<div class="x{n}"><a href="/{n}">频道{n}页</a></div>' for n in range(8))
    html = f"""<html><head><meta charset=utf-8><title>三步种好一盆薄荷</title></head><body><div id="__next"><div class="css-1a">{nav}</div>
    <div class="css-9f"><div class="css-h"><h1>三步种好一盆薄荷</h1></div><div class="css-t">
    <div><span>薄荷喜欢潮湿的土，每两天浇一次水。</span></div><div><span>夏天</span><span>要避开正午的太阳。</span></div>
    <div><b>什么时候剪</b></div><div>长到十五厘米时剪去顶端，会分出更多枝条。</div></div></div>
    <div class="css-z"><a href=a>关于我们</a><a href=b>加入我们</a><a href=c>隐私</a></div></div>
    <script>window.__DATA__={{"text":"脚本里的文字"}}</script><noscript>请启用脚本</noscript></body></html>"""
    return WebPage(
        html,
        ("薄荷喜欢潮湿的土，每两天浇一次水。", "夏天要避开正午的太阳。", "长到十五厘米时剪去顶端，会分出更多枝条。"),
        ("频道3页", "关于我们", "加入我们", "脚本里的文字", "请启用脚本"),
        ((1, "三步种好一盆薄荷"), (2, "什么时候剪")),
    )


def exported() -> WebPage:
    """Saved by a word processor: every run a span."""
    lines = "".join(
        f'<p class=MsoNormal style="text-indent:24pt"><span lang=ZH-CN>{text[:3]}</span><span\nlang=ZH-CN>{text[3:]}</span></p>'
        for text in RULES
    )
    html = f"""<html xmlns:o="urn:o"><head><meta charset=utf-8><title>办法</title><style>p.MsoNormal{{margin:0}}</style></head><body>
    <div class=WordSection1><p class=MsoTitle align=center style='text-align:center'><b><span>社区公共浴室管理办法</span></b></p>
    <p class=MsoNormal align=center><b><span>第一章</span><span>&nbsp; 总则</span></b></p>{lines}<o:p></o:p></div></body></html>"""
    return WebPage(html, (*RULES, "社区公共浴室管理办法"), ("margin",), ((2, "第一章 总则"),))


def lesson() -> WebPage:
    html = """<html><head><meta charset=utf-8><title>勾股定理</title></head><body><nav>课程表</nav><main><h1>勾股定理</h1>
    <p>直角三角形两直角边的平方和等于斜边的平方<sup><a href="#n">2</a></sup>，即 a<sup>2</sup>+b<sup>2</sup>=c<sup>2</sup>。</p>
    <p><math display="block"><mi>x</mi><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac></math></p>
    <p>水的化学式是 H<sub>2</sub>O，<ruby>勾<rp>(</rp><rt>gōu</rt><rp>)</rp>股<rt>gǔ</rt></ruby>是古称。</p>
    <p>第一行<br>第二行 &amp; &lt;尖括号&gt;&nbsp;完。</p></main><section class="footnotes"><ol><li id="n">见古书。</li></ol></section></body></html>"""
    return WebPage(
        html,
        ("直角三角形两直角边的平方和等于斜边的平方[^2]，即a²+b²=c²。", "x = (a+b)/2", "水的化学式是 H₂O，勾股是古称。",
         "第一行第二行 & <尖括号> 完。"),
        ("课程表", "gōu"),
        ((1, "勾股定理"),),
    )  # fmt: skip


def forum() -> WebPage:
    html = f"""<html><head><meta charset=utf-8><title>水管冻裂怎么办 - 问答</title></head><body>
    <div class="navbar"><a href=/>问答</a><a href=/t>标签</a><a href=/u>用户</a></div><div class="breadcrumb">问答 / 家装</div>
    <div class="question"><h1>水管冻裂怎么办</h1><div class="post">昨晚零下十二度，阳台水管裂了一条缝，先做什么？</div></div>
    <div class="answer"><h3>最佳回答</h3><div class="post">先关总阀，再放空余水。用生料带缠绕只能撑一天。</div></div>
    <div class="answer"><div class="post">换管时选带保温层的管子，价格大约贵两成。</div></div>
    <div class="widget-hot"><h4>热门问题</h4><ul><li><a href=1>墙面返潮</a><li><a href=2>地板起翘</a></ul></div>
    <div class="login-modal"><p>登录后可以回答问题并获得积分。</p></div><div id="footer">{"站点信息 " * 3}</div></body></html>"""
    return WebPage(
        html,
        ("昨晚零下十二度，阳台水管裂了一条缝，先做什么？", "先关总阀，再放空余水。用生料带缠绕只能撑一天。",
         "换管时选带保温层的管子，价格大约贵两成。"),
        ("标签", "家装", "墙面返潮", "获得积分", "站点信息"),
        ((1, "水管冻裂怎么办"), (3, "最佳回答")),
    )  # fmt: skip


PAGES = {
    "portal": portal, "news": news, "old": old, "wiki": wiki, "manual": manual, "app": app, "exported": exported,
    "lesson": lesson, "forum": forum,
}  # fmt: skip
